package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/topoi-lda/topoi/bench/internal/process"
)

// event is the end of an iteration, as one of a run's processes told.
type event struct {
	iteration int
	at        time.Time
	cpu       time.Duration // of the run's processes so far
}

// contestant is a run that can be stopped and go on.
type contestant struct {
	events chan int // iterations that ended; closed when the run is over
	pids   []int
	last   event
	paused time.Time
	over   func() error // waits for the end
}

// next lets the run go on until an iteration whose number is a multiple of turnSweeps has ended, and stops it. It
// returns how long a sweep took since the last such iteration, by the clock and of processors: time in which the run
// was stopped is not counted.
func (c *contestant) next() (wall, cpu float64, err error) {
	resumed := time.Now()
	if err := c.signal(syscall.SIGCONT); err != nil {
		return 0, 0, err
	}
	before := c.last
	for c.last == before {
		iteration, ok := <-c.events
		if !ok {
			return 0, 0, errors.Join(fmt.Errorf("a run ended too soon, after iteration %d", c.last.iteration), c.over())
		}
		if iteration%turnSweeps == 0 && iteration > before.iteration {
			c.last = event{iteration, time.Now(), c.cpu()}
		}
	}
	ran := c.last.at.Sub(resumed) + c.paused.Sub(before.at)
	if err := c.signal(syscall.SIGSTOP); err != nil {
		return 0, 0, err
	}
	c.paused = time.Now()
	n := float64(c.last.iteration - before.iteration)
	return ran.Seconds() / n, (c.last.cpu - before.cpu).Seconds() / n, nil
}

// cpu returns how much time of processors the run's processes have used so far.
func (c *contestant) cpu() (sum time.Duration) {
	for _, pid := range c.pids {
		sum += process.CPU(pid)
	}
	return sum
}

// begin stops the run at the end of its first turn, which is not counted: topics are random at first.
func (c *contestant) begin() error {
	c.paused = time.Now()
	c.last.at = c.paused
	_, _, err := c.next()
	return err
}

// end lets the run come to its end.
func (c *contestant) end() error {
	if err := c.signal(syscall.SIGCONT); err != nil {
		return err
	}
	for range c.events { // nobody else takes them
	}
	return c.over()
}

func (c *contestant) signal(s os.Signal) error {
	var errs []error
	for _, pid := range c.pids {
		p, err := os.FindProcess(pid)
		if err == nil {
			err = p.Signal(s)
		}
		if !errors.Is(err, os.ErrProcessDone) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// turn is a turn of both: seconds of a sweep, by the clock and of processors.
type turn struct {
	threads, workers       float64
	threadsCPU, workersCPU float64
}

// turns lets threads and workers run in turn, a few seconds each, so that whatever else the machine does slows both
// alike. Which of them begins changes from turn to turn.
func (b *bench) turns(p planned) ([]turn, error) {
	threads, err := b.startThreads(p)
	if err != nil {
		return nil, err
	}
	if err := threads.begin(); err != nil {
		return nil, err
	}
	workers, err := b.startWorkers(p, threads.pids)
	if err != nil {
		return nil, err
	}
	if err := workers.begin(); err != nil {
		return nil, err
	}
	var list []turn
	for i := range p.iterations/turnSweeps - 2 { // the last one has ends of its own
		var t turn
		first := func() (err error) { t.threads, t.threadsCPU, err = threads.next(); return err }
		second := func() (err error) { t.workers, t.workersCPU, err = workers.next(); return err }
		if i%2 == 1 {
			first, second = second, first
		}
		if err := first(); err != nil {
			return nil, err
		}
		if err := second(); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	if err := workers.end(); err != nil {
		return nil, err
	}
	return list, threads.end()
}

// children returns the numbers of the processes that this one has started and that are
// still there. It is known on Linux alone.
func children() (pids []int) {
	list, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range list {
		pid, _ := strconv.Atoi(filepath.Base(name))
		if fields := process.Stat(pid); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}
