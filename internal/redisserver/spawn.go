package redisserver

import "runtime"

// spawn starts the process and waits for its end in the background. On Linux the
// kernel kills the child when the thread that made it ends (see dieWithParent),
// so that thread is kept as long as the child runs.
func (s *Server) spawn() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		dieWithParent(s.cmd)
		err := s.cmd.Start()
		started <- err
		if err == nil {
			s.status = s.cmd.Wait()
			close(s.exited)
		}
	}()
	return <-started
}
