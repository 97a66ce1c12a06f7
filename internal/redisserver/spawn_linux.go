package redisserver

import (
	"os/exec"
	"syscall"
)

// dieWithParent lets the server end with this program however that ends, and
// keeps Ctrl-C in a terminal from reaching it.
func dieWithParent(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
