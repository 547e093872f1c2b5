package embedding

import (
	"context"
	"fmt"
	"time"
)

// coldStarts starts every side anew, in turns; the page cache is warm from the
// first round on, which is thrown away.
func (r *run) coldStarts(ctx context.Context) error {
	all := r.processes()
	times := make([]struct{ process, program []float64 }, len(all))
	for round := range r.Rounds + 2 {
		for i, p := range all {
			whole, a, err := r.coldStart(ctx, p)
			if err != nil && p.name != Ours {
				fmt.Fprintln(r.Log, err)
				r.report.AnchorMissing = "onnxruntime could not be started on this machine, so only our side was measured."
				return r.coldStarts(ctx)
			}
			if err != nil {
				return err
			}
			if round > 0 {
				times[i].process = append(times[i].process, milliseconds(whole))
				times[i].program = append(times[i].program, milliseconds(time.Duration(a.StartNs)))
			}
		}
	}
	for i, p := range all {
		r.report.Starts = append(r.report.Starts, Start{Side: p.name, Threads: p.threads, Process: spread(times[i].process), Program: spread(times[i].program)})
	}
	return nil
}

func (r *run) coldStart(ctx context.Context, p process) (time.Duration, answer, error) {
	began := time.Now()
	s, err := p.start(ctx)
	if err != nil {
		return 0, answer{}, err
	}
	a, err := s.ask(request{Op: "first", Texts: r.texts[12][:1]})
	took := time.Since(began)
	if err == nil {
		s.stop()
	}
	return took, a, err
}

// startAll starts the sides that are measured, in the order of report.Starts.
func (r *run) startAll(ctx context.Context) error {
	for i, p := range r.processes() {
		start := &r.report.Starts[i]
		s, err := p.start(ctx)
		if err != nil {
			return err
		}
		r.sides = append(r.sides, s)
		first, err := s.ask(request{Op: "first", Texts: r.texts[12][:1]})
		if err != nil {
			return err
		}
		about, err := s.ask(request{Op: "about"})
		if err != nil {
			return err
		}
		start.Bare, start.Loaded = megabytes(first.Bare), megabytes(first.RSS)
		r.report.About[s.name] = about.About
	}
	return r.startTwins(ctx)
}

func (r *run) startTwins(ctx context.Context) error {
	for _, p := range r.processes() {
		if p.name == Ours || p.threads != 1 {
			continue
		}
		s, err := p.start(ctx)
		if err != nil {
			return err
		}
		r.twins[p.name] = s
		if _, err := s.ask(request{Op: "first", Texts: r.texts[12][:1]}); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) stopAll() {
	for _, s := range r.sides {
		s.stop()
	}
	for _, s := range r.twins {
		s.stop()
	}
}

func (r *run) sizes(context.Context) error {
	for i, s := range r.sides {
		a, err := s.ask(request{Op: "memory"})
		if err != nil {
			return err
		}
		r.report.Starts[i].After, r.report.Starts[i].Peak = megabytes(a.RSS), megabytes(a.Peak)
	}
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
