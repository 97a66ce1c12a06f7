package records

import (
	"github.com/topoi-lda/topoi/internal/cluster/scripts"
	"github.com/topoi-lda/topoi/internal/store"
)

func script(name string) store.Script { return store.NewScript(scripts.Text(name)) }

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
