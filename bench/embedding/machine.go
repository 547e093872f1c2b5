package embedding

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Machine is what the numbers were measured on, without a name (I5).
type Machine struct {
	Cores  int    `json:"cores"`
	CPU    string `json:"cpu"`
	Memory string `json:"memory"`
	Go     string `json:"go"`
	Kernel string `json:"kernel"`
}

func thisMachine() Machine {
	return Machine{
		Cores:  runtime.NumCPU(),
		CPU:    field("/proc/cpuinfo", "model name"),
		Memory: field("/proc/meminfo", "MemTotal"),
		Go:     runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Kernel: words("/proc/sys/kernel/osrelease", 1),
	}
}

// memory is the size of this process; zeros where there is no /proc.
func memory() answer {
	return answer{RSS: kilobytes("VmRSS"), Peak: kilobytes("VmHWM")}
}

func kilobytes(name string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSuffix(field("/proc/self/status", name), " kB"), 10, 64)
	return n * 1024
}

// field is the first value of this name in a file of "name : value" lines.
func field(file, name string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	for row := range bytes.Lines(data) {
		key, value, _ := strings.Cut(string(row), ":")
		if strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// words is the first n words of a file.
func words(file string, n int) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	all := strings.Fields(string(data))
	return strings.Join(all[:min(n, len(all))], " ")
}

func loadAverage() string { return words("/proc/loadavg", 3) }

// busy is the processor time all processes of the machine have used, zero if
// unknown: user, nice and system of /proc/stat, in ticks of 10 ms.
func busy() time.Duration {
	var ticks int64
	for i, word := range strings.Fields(words("/proc/stat", 4)) {
		if n, err := strconv.ParseInt(word, 10, 64); i > 0 && err == nil {
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// own is the processor time of this process and of its children that ended.
func own() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		// With a valid pointer it cannot fail.
		_ = syscall.Getrusage(who, &usage)
		sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return sum
}
