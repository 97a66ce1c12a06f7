package human

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns a pseudo-terminal and the side from which a person sees it.
func openTerminal(t *testing.T) (program, person *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { program.Close() })
	return program, person
}

// What goes to a terminal is made safe, what goes to a file is not touched.
func TestScreen(t *testing.T) {
	program, person := openTerminal(t)
	if _, err := Screen(program).Write([]byte("\x1b[31mred\n")); err != nil {
		t.Fatal(err)
	}
	seen := make([]byte, 100)
	n, err := person.Read(seen)
	if err != nil || bytes.Contains(seen[:n], []byte{0x1b}) || !bytes.Contains(seen[:n], []byte(`\u001b[31mred`)) {
		t.Errorf("the terminal shows %q, %v", seen[:n], err)
	}
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if Screen(f) != f {
		t.Error("a file is taken for a terminal")
	}
}
