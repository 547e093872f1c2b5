package bench

import (
	"bytes"
	"os"
	"runtime"
	"strings"
)

// Machine is what the numbers were measured on, without a name (I6).
type Machine struct {
	Cores      int    `json:"cores"`
	CPU        string `json:"cpu"`
	Memory     string `json:"memory"`
	Go         string `json:"go"`
	Kernel     string `json:"kernel"`
	FileSystem string `json:"fileSystem"` // of the stores: it decides what fsync costs
}

func thisMachine(temp string) Machine {
	if temp == "" {
		temp = os.TempDir()
	}
	return Machine{
		Cores:      runtime.NumCPU(),
		CPU:        field("/proc/cpuinfo", "model name"),
		Memory:     field("/proc/meminfo", "MemTotal"),
		Go:         runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Kernel:     line("/proc/sys/kernel/osrelease"),
		FileSystem: fileSystem(temp),
	}
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

func line(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(data))
}
