package load

import (
	"runtime"
	"syscall"
	"time"
)

// pause sleeps in the kernel. The runtime's own timers wait in epoll, which
// counts whole milliseconds: a latency of 100 µs would be mostly the
// generator's lateness.
func pause(d time.Duration) {
	left := syscall.NsecToTimespec(int64(d))
	// A signal may end the sleep early; the pacer looks at the clock anyway.
	_ = syscall.Nanosleep(&left, nil)
}

// sharpen gives the calling goroutine a thread of its own whose sleeps end
// within a few microseconds; the kernel's default slack is 50 µs. The thread is
// never unlocked and so ends with the goroutine, slack and all.
func sharpen() {
	const setTimerSlack = 29
	runtime.LockOSThread()
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
}
