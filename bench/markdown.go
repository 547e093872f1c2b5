package bench

import (
	"fmt"
	"strings"
	"time"
)

// Markdown is the report for people.
func (r *Report) Markdown() string {
	var page strings.Builder
	for _, part := range []string{r.opening(), r.learnRates(), r.learnLatencies(), r.batchTable(), r.searchTable(), r.closing()} {
		page.WriteString(part)
	}
	return page.String()
}

func (r *Report) opening() string {
	m, p := r.Machine, r.Parameters
	text := fmt.Sprintf("# The house, measured %s\n\n", r.Date.Format(time.DateOnly))
	text += fmt.Sprintf("Machine: %d cores, %s, %s memory, kernel %s, %s; stores on %s. The generator runs on the same cores.\n\n",
		m.Cores, m.CPU, m.Memory, m.Kernel, m.Go, m.FileSystem)
	text += fmt.Sprintf("Parameters: %d rounds in turns (learn, Redis, learn, Redis …), each with a fresh process and an empty store; "+
		"warmup %v, closed loop %v, open loops %v each; texts of 200–300 characters, seed %d, dedupe %s%s; "+
		"batches of %d; searches for %d results among %s memories. Took %v.\n\n",
		p.Rounds, p.Warmup, p.Duration, p.Open, p.Seed, p.Dedupe, serverWith(p.ServerArgs), p.BatchSize, p.SearchLimit, thousands(float64(p.Corpus)), r.Took.Round(time.Second))
	if p.Short {
		text += "**Short run: it shows that the suite works; its numbers mean little.**\n\n"
	}
	if p.Running {
		text += "**The server ran already: its store was not empty between rounds and its processor time is not known.**\n\n"
	}
	return text + "Rates are closed loops (the highest throughput). Latencies at 50 % and 80 % are open loops at that share of the rate, " +
		"Poisson arrivals, counted from the intended moment. Values are medians of the rounds, ranges in brackets.\n\n"
}

func (r *Report) learnRates() string {
	text := "## Durable learn and Redis SET (appendfsync always), same bytes\n\n"
	if r.AnchorMissing != "" {
		text += r.AnchorMissing + "\n\n"
	} else {
		text += fmt.Sprintf("Redis %s: `%s`.\n\n", r.Parameters.Redis, quoted(r.Parameters.RedisArgs))
	}
	rows := table{"connections", "learns/s", "SETs/s", "ratio", "SETs/s by redis-benchmark", "CPU µs/learn", "CPU µs/SET",
		"generator µs/learn", "generator µs/SET", "failed", "missed"}.head()
	for _, c := range r.Learn {
		l, s := c.Learn.Summary, c.Redis.summary()
		rows += table{fmt.Sprint(c.Connections), rates(l.Rate), rates(s.Rate), ratio(c.Ratio), orDash(c.RedisOwnClient, thousands),
			cost(l.ServerCPU), cost(s.ServerCPU), cost(l.ClientCPU), cost(s.ClientCPU),
			fmt.Sprint(l.Failed + s.Failed), fmt.Sprint(l.Missed + s.Missed)}.row()
	}
	return text + rows + "\n"
}

func (r *Report) learnLatencies() string {
	rows := table{"connections", "learn p50 / p99 at 50 %", "SET p50 / p99 at 50 %", "learn p50 / p99 at 80 %", "SET p50 / p99 at 80 %"}.head()
	for _, c := range r.Learn {
		l, s := c.Learn.Summary, c.Redis.summary()
		rows += table{fmt.Sprint(c.Connections), pair(l.HalfP50, l.HalfP99), pair(s.HalfP50, s.HalfP99),
			pair(l.HighP50, l.HighP99), pair(s.HighP50, s.HighP99)}.row()
	}
	return rows + "\nAt equal shares the faster side carries more requests a second; compare latencies with the rates in mind.\n\n"
}

func (r *Report) batchTable() string {
	rows := table{"connections", "batches/s", "items/s", "service p50 / p99", "CPU µs/item", "failed"}.head()
	for _, s := range r.Batch {
		items := Spread{s.Summary.ServerCPU.Median / batchSize, 0, 0}
		rows += table{fmt.Sprint(s.Connections), thousands(s.Summary.Rate.Median), thousands(s.Summary.Rate.Median * batchSize),
			pair(s.Summary.ClosedP50, s.Summary.ClosedP99), cost(items), fmt.Sprint(s.Summary.Failed)}.row()
	}
	return fmt.Sprintf("## Learn in batches of %d (closed loop)\n\n", batchSize) + rows + "\n"
}

func (r *Report) searchTable() string {
	rows := table{"connections", "searches/s", "p50 / p99 at 50 %", "p50 / p99 at 80 %", "CPU µs/search", "failed", "missed"}.head()
	for _, s := range r.Search {
		rows += table{fmt.Sprint(s.Connections), thousands(s.Summary.Rate.Median), pair(s.Summary.HalfP50, s.Summary.HalfP99),
			pair(s.Summary.HighP50, s.Summary.HighP99), cost(s.Summary.ServerCPU), fmt.Sprint(s.Summary.Failed), fmt.Sprint(s.Summary.Missed)}.row()
	}
	return fmt.Sprintf("## Search among %s memories\n\n", thousands(float64(r.Parameters.Corpus))) + rows + "\n"
}

// closing names the failures and whatever the reader must know.
func (r *Report) closing() string {
	text := ""
	for _, note := range r.Notes {
		text += "- " + note + "\n"
	}
	for _, c := range r.Learn {
		text += failed("learn", c.Learn)
		if c.Redis != nil {
			text += failed("Redis SET", *c.Redis)
		}
	}
	for _, s := range r.Batch {
		text += failed("batch", s)
	}
	for _, s := range r.Search {
		text += failed("search", s)
	}
	if text == "" {
		return "## Notes\n\nNo request failed.\n"
	}
	return "## Notes\n\n" + text
}

func failed(what string, s Series) string {
	text := ""
	for _, f := range s.failures() {
		text += fmt.Sprintf("- %s, %d connections: %s, for example: %s\n", what, s.Connections, f.Kind, oneLine(f.Example))
	}
	return text
}

// summary is empty where there is nothing to compare with.
func (s *Series) summary() Summary {
	if s == nil {
		return Summary{}
	}
	return s.Summary
}

// serverWith says how the server was started, if in a special way.
func serverWith(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return ", server with `" + strings.Join(args, " ") + "`"
}
