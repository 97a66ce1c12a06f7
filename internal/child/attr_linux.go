package child

import (
	"os/exec"
	"syscall"
)

func setAttributes(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
