package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// samples are a few sentences of our own in each of some languages.
var samples = map[string]string{
	"en": "The river had risen in the night, and by morning it stood a hand below the bridge. Nobody spoke of it.",
	"de": "Der Fluss war in der Nacht gestiegen, und am Morgen stand er eine Hand breit unter der Brücke. Niemand sprach davon.",
	"fr": "La rivière était montée pendant la nuit, et au matin elle était à une main du pont. Personne n'en parlait avec les autres.",
	"es": "El río había subido durante la noche, y por la mañana estaba a una mano del puente. Nadie hablaba de ello con los otros.",
	"pt": "O rio tinha subido durante a noite, e pela manhã estava a uma mão da ponte. Ninguém falava disso com os outros.",
	"it": "Il fiume era salito durante la notte, e al mattino era a una mano dal ponte. Nessuno ne parlava con gli altri.",
	"nl": "De rivier was in de nacht gestegen, en in de ochtend stond hij een hand onder de brug. Niemand sprak er over met een ander.",
	"sv": "Floden hade stigit under natten, och på morgonen stod den en hand under bron. Ingen talade om det med de andra.",
	"pl": "Rzeka podniosła się w nocy, a rano stała o dłoń pod mostem. Nikt o tym nie mówił, bo każdy się bał i nie był pewny, co to jest.",
	"ru": "За ночь река поднялась, и к утру вода стояла у самого моста. Никто об этом не говорил, и все были там, где они были.",
	"tr": "Nehir gece boyunca yükselmişti ve sabah köprünün bir el altında duruyordu. Hiç kimse bu konuda bir şey söylemedi, çünkü o da çok korktu.",
	"zh": "一夜之间河水上涨，到早晨已经接近桥面。大家都出来看，没有人说话。",
	"ja": "夜の間に川の水が増えて、朝には橋のすぐ下まで来ていました。誰も何も言いませんでした。",
	"ko": "밤사이 강물이 불어나 아침에는 다리 바로 아래까지 올라왔습니다. 아무도 말을 하지 않았습니다.",
}

func detect(docs ...string) Detection {
	return Detect(func(yield func([]byte) bool) {
		for _, d := range docs {
			if !yield([]byte(d)) {
				return
			}
		}
	})
}

func TestDetect(t *testing.T) {
	for code, text := range samples {
		d := detect(text)
		if d.Found.Code != code || len(d.Languages) < 2 || d.Languages[1] != code || d.Mixed {
			t.Errorf("%s is taken for %+v", code, d)
		}
		if _, err := New(Options{Languages: d.Languages}); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestDetectMixtures(t *testing.T) {
	for _, c := range []struct {
		name string
		docs []string
		want string
	}{
		{"nothing", nil, "[]"},
		{"no stop words", []string{"xylophone quartz zephyr"}, "[]"},
		{"a language without a list", []string{"Mto ulikuwa umejaa usiku kucha na asubuhi maji yalifika karibu na daraja"}, "[]"},
		{"a word or two", []string{"die hard"}, "[]"},
		{"a word of Danish over and over", slices.Repeat([]string{"dog puppy bark leash dog dog"}, 9), "[]"},
		{"one of many in another language", append(slices.Repeat([]string{samples["en"]}, 19), samples["de"]), "[auto en zh ja ko]"},
		{"two languages", []string{samples["en"], samples["de"], samples["en"]}, "[auto]"},
		{"two languages in two scripts", []string{samples["en"], samples["ru"], samples["en"]}, "[auto en ru zh ja ko]"},
		{"Russian leaves no English behind", []string{samples["ru"]}, "[auto ru en zh ja ko]"},
		{"Chinese with English", []string{samples["zh"], samples["zh"], "the end of the day"}, "[auto zh en]"},
		{"markup is no language", []string{"<html lang='en'><p>" + samples["de"] + "</p><script>if (a) { return this; }</script>"}, "[auto de zh ja ko]"},
	} {
		if got := fmt.Sprint(detect(c.docs...).Languages); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What is found takes the stop words out.
func TestDetectedStopWords(t *testing.T) {
	for code, words := range map[string]string{"de": "der und die war in", "fr": "la et les au elle", "ru": "и не об это все", "es": "el y la por los"} {
		p := mustNew(t, Options{Languages: detect(samples[code]).Languages})
		got := " " + strings.Join(tokens(p, samples[code]), " ") + " "
		for w := range strings.FieldsSeq(words) {
			if strings.Contains(got, " "+w+" ") {
				t.Errorf("%s: %q is left of %q", code, w, got)
			}
		}
	}
}
