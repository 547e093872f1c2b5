package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// table is the cells of one row.
type table []string

func (t table) row() string { return "| " + strings.Join(t, " | ") + " |\n" }

func (t table) head() string { return t.row() + "|" + strings.Repeat("---|", len(t)) + "\n" }

// rates is a median with its range; a dash where nothing was measured.
func rates(s Spread) string {
	return orDash(s.Median, func(float64) string {
		return thousands(s.Median) + " (" + thousands(s.Min) + "–" + thousands(s.Max) + ")"
	})
}

func ratio(s *Spread) string {
	if s == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.Median, s.Min, s.Max)
}

func cost(s Spread) string {
	return orDash(s.Median, func(m float64) string { return fmt.Sprintf("%.1f", m) })
}

// pair is two latencies, p50 and p99.
func pair(p50, p99 Spread) string {
	return orDash(p99.Median, func(float64) string { return latency(p50.Median) + " / " + latency(p99.Median) })
}

// latency shows microseconds in the unit that suits them.
func latency(micros float64) string {
	switch d := time.Duration(micros * float64(time.Microsecond)); {
	case d < time.Millisecond:
		return fmt.Sprintf("%.0f µs", micros)
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", micros/1e3)
	}
	return fmt.Sprintf("%.2f s", micros/1e6)
}

func orDash(n float64, show func(float64) string) string {
	if n == 0 {
		return "–"
	}
	return show(n)
}

// thousands writes a whole number with commas: 12,345.
func thousands(n float64) string {
	digits := strconv.FormatInt(int64(math.Round(n)), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func quoted(args []string) string {
	shown := make([]string, len(args))
	for i, arg := range args {
		if shown[i] = arg; arg == "" {
			shown[i] = `""`
		}
	}
	return strings.Join(shown, " ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
