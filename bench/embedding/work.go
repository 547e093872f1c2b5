package embedding

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"loci/bench/cpu"
	"loci/engine/embed/minilm"
	"loci/engine/embed/wordpiece"
)

// warmups is how many calls go before the clock runs, on every side.
const warmups = 3

// worker is our side.
type worker struct {
	began     time.Time
	bare      int64
	model     *minilm.Model
	tokenizer *wordpiece.Tokenizer // unused here, but part of every real start
}

// Work answers requests from in until it ends.
func Work(in io.Reader, out io.Writer) error {
	w := &worker{began: time.Now(), bare: memory().RSS}
	if err := w.load(); err != nil {
		return fmt.Errorf("work: %w", err)
	}
	lines, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var r request
		if err := lines.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("work: read request: %w", err)
		}
		a, err := w.answer(r)
		if err != nil {
			a.Error = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			return fmt.Errorf("work: write answer: %w", err)
		}
	}
}

func (w *worker) load() error {
	file, err := minilm.Builtin()
	if err != nil {
		return err
	}
	w.tokenizer = wordpiece.New(file.Vocab())
	w.model, err = minilm.Load(file, minilm.Options{})
	return err
}

func (w *worker) answer(r request) (answer, error) {
	switch r.Op {
	case "first":
		_, err := w.vectors(r.Texts)
		took := time.Since(w.began)
		a := memory()
		a.StartNs, a.Bare = int64(took), w.bare
		return a, err
	case "vectors":
		vectors, err := w.vectors(r.Texts)
		return answer{Vectors: vectors}, err
	case "rate":
		return w.rate(r)
	case "memory":
		return memory(), nil
	case "about":
		return answer{About: "kernel " + w.model.Path().String()}, nil
	}
	return answer{}, fmt.Errorf("no such request: %q", r.Op)
}

func (w *worker) vectors(texts [][]int32) ([][]float32, error) {
	dst := room(len(texts))
	return dst, w.model.Embed(texts, dst)
}

// rate runs AtOnce loops, each with its own room, over the same batches.
func (w *worker) rate(r request) (answer, error) {
	batches := slices.Collect(slices.Chunk(r.Texts, max(r.Batch, 1)))
	if len(batches) == 0 || len(batches[len(batches)-1]) != r.Batch {
		return answer{}, fmt.Errorf("rate: %d texts make no whole batches of %d", len(r.Texts), r.Batch)
	}
	for i := range warmups {
		if _, err := w.vectors(batches[i%len(batches)]); err != nil {
			return answer{}, err
		}
	}
	loops := make([]loop, r.AtOnce)
	from, used := time.Now(), cpu.OfSelf()
	var all sync.WaitGroup
	for i := range loops {
		all.Go(func() { loops[i].run(w.model, batches, i, time.Duration(r.Ns)) })
	}
	all.Wait()
	return sum(loops, r.Batch, time.Since(from), cpu.OfSelf()-used)
}

// loop is the calls of one goroutine.
type loop struct {
	times []time.Duration
	err   error
}

func (l *loop) run(model *minilm.Model, batches [][][]int32, next int, span time.Duration) {
	dst := room(len(batches[0]))
	from := time.Now()
	for at := from; at.Sub(from) < span; next++ {
		if l.err = model.Embed(batches[next%len(batches)], dst); l.err != nil {
			return
		}
		now := time.Now()
		l.times = append(l.times, now.Sub(at))
		at = now
	}
}

func sum(loops []loop, batch int, wall, used time.Duration) (answer, error) {
	var times []time.Duration
	for _, l := range loops {
		if l.err != nil {
			return answer{}, l.err
		}
		times = append(times, l.times...)
	}
	slices.Sort(times)
	quantile := func(q float64) int64 { return int64(times[min(len(times)-1, int(q*float64(len(times))))]) }
	return answer{Texts: int64(len(times) * batch), WallNs: int64(wall), CPUNs: int64(used), P50Ns: quantile(0.5), P99Ns: quantile(0.99)}, nil
}

func room(n int) [][]float32 {
	dst := make([][]float32, n)
	for i := range dst {
		dst[i] = make([]float32, minilm.Dim)
	}
	return dst
}
