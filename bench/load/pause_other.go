//go:build !linux

package load

import "time"

// pause sleeps as well as the runtime can, about a millisecond exactly.
func pause(d time.Duration) { time.Sleep(d) }

func sharpen() {}
