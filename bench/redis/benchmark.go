package redis

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
)

// Benchmark asks Redis's own client, redis-benchmark, for the SETs a second
// that it reaches with values of this size. It is written in C and cheaper
// than ours, so that it shows how much of a machine our generator takes from
// the anchor. It is ErrMissing if it is not on the PATH.
func Benchmark(ctx context.Context, addr string, connections, size, requests int) (float64, error) {
	program, err := exec.LookPath("redis-benchmark")
	if err != nil {
		return 0, ErrMissing
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return 0, fmt.Errorf("run redis-benchmark: %w", err)
	}
	// -r: distinct keys, as distinct as a random number below a milliard is.
	out, err := exec.CommandContext(ctx, program, "-h", host, "-p", port, "-t", "set", "--csv", "-r", "1000000000",
		"-d", strconv.Itoa(size), "-c", strconv.Itoa(connections), "-n", strconv.Itoa(requests)).Output()
	if err != nil {
		return 0, fmt.Errorf("run redis-benchmark: %w", err)
	}
	return parseBenchmark(out)
}

// parseBenchmark finds the rate, the second field of the row of SET.
func parseBenchmark(out []byte) (float64, error) {
	table := csv.NewReader(bytes.NewReader(out))
	table.FieldsPerRecord = -1
	rows, err := table.ReadAll()
	if err != nil {
		return 0, fmt.Errorf("read redis-benchmark: %w", err)
	}
	for _, row := range rows {
		if len(row) >= 2 && row[0] == "SET" {
			return strconv.ParseFloat(row[1], 64)
		}
	}
	return 0, errors.New("read redis-benchmark: no row of SET")
}
