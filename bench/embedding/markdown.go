package embedding

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Markdown is the report for people.
func (r *Report) Markdown() string {
	return r.opening() + r.goals() + r.rateTables() + r.queryTable() + r.startTable() + r.cosineTable()
}

func (r *Report) opening() string {
	m, p := r.Machine, r.Parameters
	text := fmt.Sprintf("# Embedding, measured %s\n\n", r.Date.Format(time.DateOnly))
	text += fmt.Sprintf("Machine: %d cores, %s, %s memory, kernel %s, %s. Load average %s before, %s after; other processes kept %.2f cores busy meanwhile.\n\n",
		m.Cores, m.CPU, m.Memory, m.Kernel, m.Go, r.LoadBefore, r.LoadAfter, r.Others)
	text += fmt.Sprintf("Sides: %s (%s)", Ours, r.About[Ours])
	if r.AnchorMissing == "" {
		text += fmt.Sprintf("; %s, the same weights in int8 (dynamic quantisation) and f32, attention and GELU as its fused operators, layer norms apart (its fused form is slower)", r.About[Int8])
	}
	text += fmt.Sprintf(". Parameters: %d rounds of %v in turns (every side, then the next round), %d texts of each length, seed %d; the same token ids for all. Took %v.\n\n",
		p.Rounds, p.Duration, p.Texts, p.Seed, r.Took.Round(time.Second))
	if r.AnchorMissing != "" {
		text += "**" + r.AnchorMissing + "**\n\n"
	}
	if p.Short {
		text += "**Short run: it shows that the bench works; its numbers mean little.**\n\n"
	}
	return text + "Values are medians of the rounds, ranges in brackets. Texts per CPU-second divide by the processor time of the whole process, " +
		"so they say what a core gives, also on a machine that is busy with other things.\n\n"
}

// goals holds the run against what was asked of the model.
func (r *Report) goals() string {
	rows := head("goal", "measured", "met")
	for _, batch := range []int{1, 4, 16} {
		if a, b := r.rate(Ours, 1, 1, 32, batch), r.rate(Int8, 1, 1, 32, batch); a != nil && b != nil {
			times := ratio(a, b, Round.perCPU)
			rows += row(fmt.Sprintf("1.5 × onnxruntime int8 per core, 32 tokens, %s", inBatches(batch)), bracketed(times, "%.2f"), yes(times.Median >= 1.5))
		}
	}
	if q := r.rate(Ours, 1, 1, 12, 1); q != nil {
		rows += row("a 12-token query under 1.2 ms (p50)", fmt.Sprintf("%.2f ms", q.P50.Median/1e3), yes(q.P50.Median < 1200))
	}
	for _, s := range r.Starts {
		if s.Side == Ours {
			rows += row(fmt.Sprintf("cold start under 50 ms, GOMAXPROCS %d", s.Threads), fmt.Sprintf("%.0f ms", s.Process.Median), yes(s.Process.Median < 50))
			rows += row(fmt.Sprintf("under 120 MB resident, GOMAXPROCS %d", s.Threads), fmt.Sprintf("%.0f MB", s.Peak), yes(s.Peak < 120))
		}
	}
	return "## Goals\n\n" + rows + "\n"
}

func (r *Report) rateTables() string {
	text := "## Texts a second\n\nTwo cores are two calls at once of one thread each (2 × 1; with onnxruntime in two processes) or one call of two threads (1 × 2). " +
		"The last column is ours over that side, per CPU-second on one core and by wall on two, round by round.\n\n"
	rows := head("tokens", "texts a call", "side", "calls × threads", "texts/s", "texts/CPU-s", "loci is faster by")
	for i := range r.Rates {
		c := &r.Rates[i]
		rows += row(strconv.Itoa(c.Tokens), strconv.Itoa(c.Batch), c.Side, fmt.Sprintf("%d × %d", c.AtOnce, c.Threads),
			bracketed(c.Wall, "%.0f"), bracketed(c.PerCPU, "%.0f"), r.against(c))
	}
	return text + rows + "\n"
}

// against is ours over c with as many cores.
func (r *Report) against(c *Rate) string {
	cores := max(c.AtOnce, c.Threads)
	a := r.rate(Ours, 1, cores, c.Tokens, c.Batch)
	if c.Side == Ours || a == nil {
		return "–"
	}
	if cores == 1 {
		return bracketed(ratio(a, c, Round.perCPU), "%.2f")
	}
	return bracketed(ratio(a, c, Round.perSecond), "%.2f")
}

func (r *Report) queryTable() string {
	rows := head("side", "threads", "p50", "p99")
	for _, c := range r.Rates {
		if c.Tokens == 12 && c.Batch == 1 && c.AtOnce == 1 {
			rows += row(c.Side, strconv.Itoa(c.Threads), fmt.Sprintf("%.2f ms", c.P50.Median/1e3), fmt.Sprintf("%.2f ms", c.P99.Median/1e3))
		}
	}
	return "## One query of 12 tokens\n\nOne call after another, from token ids to the unit vector.\n\n" + rows + "\n"
}

func (r *Report) startTable() string {
	rows := head("side", "threads", "start to first vector", "of it in the program", "bare", "after first vector", "after all", "peak")
	for _, s := range r.Starts {
		rows += row(s.Side, strconv.Itoa(s.Threads), bracketed(s.Process, "%.0f")+" ms", bracketed(s.Program, "%.0f")+" ms",
			size(s.Bare), size(s.Loaded), size(s.After), size(s.Peak))
	}
	return "## Cold start and memory\n\nA fresh process with its files in the page cache; ours includes the tokenizer, the other side has none. " +
		"Memory is resident size in MB (10⁶), mapped files included; bare is before the model is loaded.\n\n" + rows + "\n"
}

func (r *Report) cosineTable() string {
	if len(r.Cosines) == 0 {
		return ""
	}
	rows := head("between", "texts", "least", "mean")
	for _, c := range r.Cosines {
		rows += row(c.A+" and "+c.B, strconv.Itoa(c.Texts), fmt.Sprintf("%.5f", c.Min), fmt.Sprintf("%.5f", c.Mean))
	}
	return "## The same thing is computed\n\nCosine between the vectors of the sides.\n\n" + rows
}

// rate finds a row; nil if it was not measured.
func (r *Report) rate(side string, threads, atOnce, tokens, batch int) *Rate {
	for i := range r.Rates {
		if c := &r.Rates[i]; c.Side == side && c.Threads == threads && c.AtOnce == atOnce && c.Tokens == tokens && c.Batch == batch {
			return c
		}
	}
	return nil
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func head(cells ...string) string {
	return row(cells...) + "|" + strings.Repeat("---|", len(cells)) + "\n"
}

// bracketed is a median with its range; a dash where nothing was measured.
func bracketed(s Spread, format string) string {
	if s.Median == 0 || math.IsNaN(s.Median) {
		return "–"
	}
	return fmt.Sprintf(format+" ("+format+"–"+format+")", s.Median, s.Min, s.Max)
}

func inBatches(n int) string {
	if n == 1 {
		return "one by one"
	}
	return fmt.Sprintf("%d texts a call", n)
}

func size(megabytes float64) string { return fmt.Sprintf("%.0f", megabytes) }

func yes(met bool) string {
	if met {
		return "yes"
	}
	return "no"
}
