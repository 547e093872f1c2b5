package kernel

import (
	"sync"
	"syscall"
)

// tilesAllowed asks the system for the use of tile data, once for the process:
// arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA). Linux refuses where it,
// or the hypervisor, does not save the tiles of a thread.
var tilesAllowed = sync.OnceValue(func() bool {
	const requestPermission, tileData = 0x1023, 18
	_, _, err := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return err == 0
})
