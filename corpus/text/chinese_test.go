package text

import (
	"strings"
	"testing"
)

func TestChinese(t *testing.T) {
	for _, c := range []struct {
		name    string
		options Options
		text    string
		want    string
	}{
		{"words", Options{}, "农产品价格上涨支撑依旧强劲", "农产品 价格 上涨 支撑 依旧 强劲"},
		{"traditional", Options{}, "我們認為經濟增長的關鍵在於創新與教育", "經濟 增長 關鍵 在於 創新 教育"},
		{"names", Options{}, "NBA球员孙悦女友 第14名陈志民超越大盘", "nba 球员 孙悦 女友 陈志民 超越 大盘"},
		{"many characters that are no words", Options{}, "锌镓铟锗", "锌镓 镓铟 铟锗"},
		{"single characters", Options{MinLength: 1, Languages: []string{"none"}}, "锌A买房子", "锌 a 买 房子"},
		{"counted", Options{}, "2024年增长5万元", "增长 万元"},
		{"rare characters", Options{}, "𠮷野屋的经济", "𠮷野屋 经济"},
		{"Japanese by its kana", Options{}, "東京の経済成長について", "東京 経済 済成 成長"},
		{"Japanese by its language", Options{Languages: []string{"ja"}}, "日本経済新聞社", "日本 本経 経済 済新 新聞 聞社"},
		{"Chinese with a Japanese letter", Options{}, "日本东京の经济发展速度非常快超过预期", "日本 东京 经济 发展 速度 超过 预期"},
		{"Korean", Options{}, "학교에서 공부", "학교 공부"},
		{"stop words go", Options{}, "为什么我们认为这是非常重要的问题", "重要 问题"},
	} {
		if got := strings.Join(tokens(mustNew(t, c.options), c.text), " "); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// Every word of the dictionary is found in it, and is the cheapest way to cut
// itself unless its parts are far more common.
func TestDictionary(t *testing.T) {
	d := chinese()
	if len(d.ends) != len(d.cost) || len(d.ends) < 100_000 {
		t.Fatalf("%d words with %d costs", len(d.ends), len(d.cost))
	}
	for i := range uint32(len(d.ends)) {
		word, found := d.word(i), false
		d.matches(word, func(length int, cost uint8) { found = found || length == len(word) && cost == d.cost[i] })
		if !found {
			t.Fatalf("word %d, %v, is not found", i, word)
		}
	}
}
