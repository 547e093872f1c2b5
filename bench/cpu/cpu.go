package cpu

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// tick is the unit of the times in /proc: USER_HZ, which is 100 on every
// Linux port that Go supports, whatever the kernel's own timer rate is.
const tick = 10 * time.Millisecond

// OfProcess is the processor time that the process pid has used so far (I1).
func OfProcess(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("read processor time of process %d: %w", pid, err)
	}
	used, err := parseStat(stat)
	if err != nil {
		return 0, fmt.Errorf("read processor time of process %d: %w", pid, err)
	}
	return used, nil
}

// OfSelf is the processor time that this process has used so far (I1).
func OfSelf() time.Duration {
	var usage syscall.Rusage
	// RUSAGE_SELF with a valid pointer cannot fail.
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// parseStat finds utime and stime, the 14th and 15th fields. The second field
// is the program's name in parentheses and may itself hold spaces and
// parentheses, so that counting begins behind the last one.
func parseStat(stat []byte) (time.Duration, error) {
	end := bytes.LastIndexByte(stat, ')')
	fields := bytes.Fields(stat[end+1:])
	if end < 0 || len(fields) < 13 {
		return 0, fmt.Errorf("stat has too few fields")
	}
	user, err := strconv.ParseInt(string(fields[11]), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("user time: %w", err)
	}
	system, err := strconv.ParseInt(string(fields[12]), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("system time: %w", err)
	}
	return time.Duration(user+system) * tick, nil
}
