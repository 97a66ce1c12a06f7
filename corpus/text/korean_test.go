package text

import (
	"strings"
	"testing"
)

// Particles and forms of "do" and "become" are taken off, words that only look alike stay.
func TestKorean(t *testing.T) {
	for text, want := range map[string]string{
		"주식은 주식을 주식의 주식에서는 주식으로부터 주식보다는": "주식 주식 주식 주식 주식 주식",
		"학교가 학교를 학교와 학교로 학교였던":           "학교 학교 학교 학교 학교",
		"발표했다 발표하는 발표됐다 발표합니다 발표한다고":     "발표 발표 발표 발표 발표",
		"학생들은 사람들이 기자들에게":                "학생 사람 기자",
		"사회적인 사회적으로":                     "사회적 사회적",
		"민주주의 민주주의를 고양이 고양이가 고속도로 지난해":   "민주주의 민주주의 고양이 고양이 고속도로 지난해",
		"가을 마을 전문가 소설가 회의 제도 국가":         "가을 마을 전문가 소설가 회의 제도 국가",
		"서울로 시장으로 부산으로 거실로":              "서울 시장 부산 거실",
		"레스토랑에서 실무협의를":                   "레스토랑 실무협의",
		"방에서 물을 맛은 집까지":                  "방 물 맛 집",
		"5만원을 3월부터 12개국의 3분기":            "개국 분기",
		"삼성전자가 2분기 실적을 ‘발표’했다.":          "삼성전자 분기 실적 발표",
		"그리고 때문에 있습니다 이것은 한다":            "",
		"재미있다ㅋㅋㅋ 좋아요^^":                  "재미있다 ᄏᄏ ᄏᄏ 좋아요",
		"iPhone은 AI를":                    "iphone ai",
	} {
		p := mustNew(t, Options{Languages: []string{"ko"}})
		if got := strings.Join(tokens(p, text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Words of one syllable go if a length is asked for; pairs and what is between spaces remain to be had.
func TestKoreanOptions(t *testing.T) {
	const text = "물은 주식을 발표했다"
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{}, "물 주식 발표"},
		{Options{MinLength: 2}, "주식 발표"},
		{Options{MinLength: 1}, "물 주식 발표"},
		{Options{Languages: []string{"none"}}, "물 주식 발표"},
		{Options{CJK: cjkBigrams}, "물은 주식 식을 발표 표했"},
		{Options{CJK: cjkWords}, "물은 주식을 발표했다"},
		{Options{StopWords: []string{"주식"}}, "물 발표"},
		{Options{StopWords: []string{"주식을"}}, "물 발표"},
	} {
		if got := strings.Join(tokens(mustNew(t, c.options), text), " "); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.options, got, c.want)
		}
	}
}
