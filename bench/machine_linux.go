package bench

import (
	"fmt"
	"syscall"
)

// fileSystem names the kind of file system that dir is on, by the numbers of
// statfs(2). On tmpfs an fsync costs nothing and durable writes mean nothing.
func fileSystem(dir string) string {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return "unknown"
	}
	kind := uint32(stat.Type)
	switch kind {
	case 0xEF53:
		return "ext4"
	case 0x58465342:
		return "xfs"
	case 0x9123683E:
		return "btrfs"
	case 0x2FC12FC1:
		return "zfs"
	case 0xF2F52010:
		return "f2fs"
	case 0x794C7630:
		return "overlay"
	case 0x01021994:
		return "tmpfs (in memory: fsync is free here)"
	}
	return fmt.Sprintf("type %#x", kind)
}
