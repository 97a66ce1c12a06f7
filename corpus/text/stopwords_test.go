package text

import (
	"strings"
	"testing"
)

// Frequent function words of every language are on its list, and the words around them that tell topics are not.
func TestStopLists(t *testing.T) {
	words := map[string]string{
		"ar":  "مثل أحد تحت عبر أمام لو هل جداً هنا ربما | الاقتصاد مدينة",
		"bg":  "една едно себе нека нещо извън техните много достатъчно | българия отбрана",
		"ca":  "jo tu ara cap res algú segons sense sinó | casa govern",
		"ckb": "كە وەك یان بەڵام هەموو چونكە ئەگەر زیاتر | كوردستان",
		"cs":  "že li budeme všechny těchto proti každý několik například | práce místo",
		"da":  "ved andre ingen fordi mens mellem inden omkring derfor også | danmark",
		"de":  "dass wer mehrere weder sowohl muß unserem besonders ebenfalls | regierung",
		"el":  "μεταξύ ωστόσο ώστε όχι μέσω υπό επίσης καθώς ήδη | κυβέρνηση",
		"en":  "none plus lest especially whoever alongside | mine government",
		"es":  "muchas ambos ningún pueda éste dentro incluso asimismo | poder gobierno",
		"eu":  "dela den zion duen artean dut dugu gabe berriz | euskal",
		"fa":  "آن\u200cها می\u200cتواند می\u200cباشد یعنی علیه همیشه می\u200cشود | ایران",
		"fi":  "voi kaikki eli eikä mitään jotta kautta kuitenkin esimerkiksi | suomen",
		"fr":  "durant devant elles beaucoup cependant surtout toutefois désormais | état",
		"ga":  "sin seo féin eile nuair aige acu anois freisin | gaeilge fuil",
		"gl":  "como son cada todo segundo onde calquera máis xa ademais | galicia",
		"hi":  "उसने ज्यादा जाता कारण लगभग क्योंकि हमेशा | सरकार",
		"hr":  "se na da kako iz što kao ili ali nije prema zbog također | vlada",
		"hu":  "is ha ám ugyan miután sőt nemcsak például ugyanakkor | kormány",
		"hy":  "մասին թե ոչ բայց բոլոր ինչ դա մինչև արդեն | հայաստանի",
		"id":  "secara atas berbagai menurut sejumlah misalnya terutama | negara",
		"it":  "stata stati presso molti ciò nessuno soprattutto invece | legge",
		"ja":  "しかし および | 経済",
		"ko":  "그는 이를 않는다 그것은 특히 오히려 그럼에도 | 경제",
		"nl":  "we alle zoals elkaar iedereen zowel vanuit bijvoorbeeld vooral | kinderen",
		"no":  "frå andre sjølv mens utan dersom ifølge kanskje fortsatt | språk",
		"pl":  "siebie zamiast dopiero raczej zarówno wobec później wciąż | państwa",
		"pt":  "é nesta desta tudo qualquer embora hoje apenas então | cidade",
		"ro":  "unui își fiind cele despre însă astfel numai foarte | stat",
		"ru":  "среди согласно из-за эта котором ниже ранее особенно | война",
		"sv":  "skall hos både bör enligt eftersom också kanske därför | barn",
		"tr":  "mi birlikte ilişkin fakat örneğin şimdi artık özellikle | bilim",
		"zh":  "由於 任何 所有 並且 有關 能夠 經常 为了 于是 | 经济",
	}
	for _, l := range Languages() {
		stop, kept, ok := strings.Cut(words[l.Code], " | ")
		if !ok {
			t.Errorf("no words of %s", l.Name)
			continue
		}
		p, err := New(Options{Languages: []string{l.Code}, MinLength: 2, CJK: cjkWords})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range strings.Fields(stop) {
			if got := p.Tokens(nil, []byte(w)); len(got) > 0 {
				t.Errorf("%s: %q is kept as %q", l.Code, w, got)
			}
		}
		for _, w := range strings.Fields(kept) {
			if got := p.Tokens(nil, []byte(w)); len(got) == 0 {
				t.Errorf("%s: %q is dropped", l.Code, w)
			}
		}
	}
}
