package demo

import "strings"

// Theme is a subject that documents of the demonstration corpus are about.
type Theme struct {
	Name  string
	Words []string // by falling frequency; some words belong to several themes
}

// Themes returns the twelve themes of the corpus.
func Themes() []Theme {
	themes := make([]Theme, len(themeText))
	for i, t := range themeText {
		themes[i] = Theme{t.name, strings.Fields(t.words)}
	}
	return themes
}

// themeText holds the themes. Among the words with two homes: star, pitch,
// score, court, case, current, root, branch, shell, bank, season, track, line,
// field, operation, pressure, bar, stock, model, net, cell, wave, scale, sheet.
var themeText = []struct{ name, words string }{
	{"astronomy", `star planet galaxy telescope orbit light sun moon mass universe distance dust comet
		nebula gravity spectrum observation solar sky eclipse asteroid radiation lens brightness cluster
		hydrogen mirror crater supernova rotation satellite observatory infrared dwarf meteor wave
		field pulsar cosmology atmosphere ring parallax magnitude model collapse disc`},
	{"cooking", `sauce butter oven onion flour garlic sugar salt dough pepper recipe pan egg cream oil
		lemon cheese boil tomato knife soup stock roast spice vinegar bread simmer chop stir rice
		parsley dish plate taste wine season bake yeast potato mushroom chicken shell bowl
		kitchen cinnamon ginger basil`},
	{"football", `goal match team player coach league season ball referee penalty defender striker
		score pitch stadium club midfield keeper pass header cup kick fans tackle squad transfer
		corner final injury champion victory defeat offside training captain half whistle net
		crossbar tournament supporter title bench winger draw fixture`},
	{"medicine", `patient doctor disease treatment hospital blood infection symptom drug therapy surgery
		heart fever vaccine dose nurse diagnosis cancer clinic virus pain lung pressure kidney chronic
		trial tissue cell antibody immune wound operation bacteria pulse prescription
		diabetes artery liver tumour inflammation recovery fracture case anaesthetic ward epidemic`},
	{"music", `melody piano orchestra song violin chord concert rhythm composer guitar symphony singer
		string opera note harmony album choir score conductor pitch drum tempo band stage cello scale
		quartet trumpet flute lyrics tune studio recording audience sonata key bass
		overture jazz movement chorus bar voice star rehearsal`},
	{"sailing", `boat sail wind harbour mast anchor deck sea captain crew rudder hull wave tide rope ship
		keel voyage current coast island storm compass knot chart yacht cabin buoy navigation port
		starboard helm lighthouse gale stern bow dock reef channel breeze regatta
		sheet ballast cove shore`},
	{"gardening", `plant soil seed garden flower leaf root rose compost bulb water shrub weed pruning
		tree bloom spring vegetable lawn pot fruit hedge fertiliser greenhouse stem branch shade
		harvest petal frost cutting season mulch orchard tulip lavender spade insect pollen
		bed tomato watering sunlight bean herb row`},
	{"law", `court judge law lawyer trial jury case evidence crime witness defendant appeal contract
		verdict sentence justice prosecutor statute rights guilty police testimony charge
		damages prison legal claim plaintiff ruling hearing offence bail clause liability
		constitution oath property bar attorney settlement act fraud custody innocence penalty`},
	{"economy", `market price bank money trade inflation investor interest growth tax income debt stock
		budget profit currency company credit export loan demand fund wage share economy supply
		recession capital cost import dividend bond unemployment tariff consumer asset
		finance insurance mortgage deficit revenue branch policy forecast yield risk`},
	{"railways", `train station track locomotive line carriage passenger signal platform engine freight
		steam tunnel railway rail bridge conductor journey timetable driver gauge junction ticket
		wagon brake depot speed viaduct whistle sleeper diesel coach terminus
		delay route crossing commuter electric express cutting siding level guard luggage`},
	{"mountains", `mountain summit climber peak rope glacier snow ridge rock climb valley avalanche ice
		expedition altitude camp slope hut guide crevasse storm trail cliff tent boot axe oxygen
		face weather ascent descent pass wall hiker north gully blizzard couloir
		crampon alpine sherpa height scramble shelter frost moraine`},
	{"computing", `software program computer code data memory network file algorithm server user processor
		bug compiler function database input disk kernel screen keyboard operation thread
		language variable internet cache string loop web query interface stack packet
		password encryption root shell graph branch model key version debug terminal cell`},
}

// commonWords turn up in documents on any subject.
var commonWords = strings.Fields(`year day people time part work small early long good place number
	begin great end hand kind old point high side known large common name often today world`)
