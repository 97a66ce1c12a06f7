package records

import (
	_ "embed"
	"strings"

	"github.com/topoi-lda/topoi/internal/store"
)

//go:embed scripts.lua
var scriptsFile string

// script returns the script of the given name in scripts.lua. Blank lines separate scripts.
func script(name string) store.Script {
	_, text, found := strings.Cut(scriptsFile, "\n-- "+name+": ")
	if !found {
		panic("scripts.lua has no script " + name)
	}
	text, _, _ = strings.Cut(text, "\n\n")
	return store.NewScript("-- " + name + ": " + text)
}

var (
	scriptJoin    = script("join")
	scriptRemove  = script("remove")
	scriptHalt    = script("halt")
	scriptMark    = script("mark")
	scriptBeat    = script("beat")
	scriptLeave   = script("leave")
	scriptReach   = script("reach")
	scriptSurvey  = script("survey")
	scriptAssign  = script("assign")
	scriptPublish = script("publish")
	scriptAccept  = script("accept")
	scriptRaise   = script("raise")
	scriptFound   = script("found")
	scriptSweep   = script("sweep")
	scriptCreate  = script("create")
	scriptBegin   = script("begin")
	scriptState   = script("state")
	scriptStatus  = script("status")
	scriptLock    = script("lock")
	scriptRenew   = script("renew")
	scriptUnlock  = script("unlock")
)
