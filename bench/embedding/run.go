package embedding

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"
)

// The names of the sides.
const (
	Ours = "loci"
	Int8 = "onnxruntime int8"
	F32  = "onnxruntime f32"
)

// Options say what to measure. Zero means the default.
type Options struct {
	// Self is the command that calls [Work] on its standard input and output.
	Self []string
	// ORT is the folder that ort/setup.sh filled; empty if there is none.
	ORT string
	// Missing says why ORT is empty.
	Missing  string
	Short    bool          // one quick round: does it work?
	Rounds   int           // 5
	Duration time.Duration // of one measurement; 600 ms
	Seed     uint64        // 1
	Log      io.Writer     // io.Discard
}

// kind is a kind of batch. 128 tokens are one pass of ours; the larger batches
// are there because onnxruntime gains from them longer.
type kind struct{ tokens, batch int }

var kinds = []kind{{12, 1}, {12, 10}, {32, 1}, {32, 4}, {32, 16}, {200, 1}, {200, 4}}

// textsOfLength is divisible by every batch above.
const textsOfLength = 80

func (o *Options) fill() {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Rounds == 0 {
		o.Rounds = 5
	}
	if o.Duration == 0 {
		o.Duration = 600 * time.Millisecond
	}
	if o.Short {
		o.Rounds, o.Duration = 1, 20*time.Millisecond
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.ORT == "" && o.Missing == "" {
		o.Missing = "onnxruntime was not asked for."
	}
}

// run is a run under way.
type run struct {
	Options
	report *Report
	texts  map[int][][]int32 // by length
	sides  []*side
	twins  map[string]*side // second processes of onnxruntime with one thread
}

// Run measures all sides. Without onnxruntime it measures ours alone (I4).
func Run(ctx context.Context, o Options) (*Report, error) {
	o.fill()
	began, busyBefore, ownBefore := time.Now(), busy(), own()
	r := &run{Options: o, texts: map[int][][]int32{}, twins: map[string]*side{}, report: &Report{
		Date: began.UTC(), Machine: thisMachine(), LoadBefore: loadAverage(), About: map[string]string{}, AnchorMissing: o.Missing,
		Parameters: Parameters{Short: o.Short, Rounds: o.Rounds, Duration: o.Duration, Texts: textsOfLength, Seed: o.Seed},
	}}
	for _, step := range []func(context.Context) error{r.makeTexts, r.coldStarts, r.startAll, r.compare, r.rates, r.sizes} {
		if err := step(ctx); err != nil {
			r.stopAll()
			return nil, fmt.Errorf("bench embedding: %w", err)
		}
	}
	r.stopAll()
	r.report.Took, r.report.LoadAfter = time.Since(began), loadAverage()
	others := busy() - busyBefore - (own() - ownBefore)
	r.report.Others = max(0, others.Seconds()/r.report.Took.Seconds())
	return r.report, nil
}

// processes are the sides in the order they take turns.
func (r *run) processes() []process {
	var all []process
	for threads := 1; threads <= 2; threads++ {
		all = append(all, process{name: Ours, threads: threads, command: r.Self, env: []string{"GOMAXPROCS=" + strconv.Itoa(threads)}})
		if r.report.AnchorMissing != "" {
			continue
		}
		for _, model := range []struct{ name, file string }{{Int8, "int8.onnx"}, {F32, "f32.onnx"}} {
			all = append(all, process{name: model.name, threads: threads, dir: r.ORT,
				command: []string{"node", "ort.mjs", model.file, strconv.Itoa(threads)}})
		}
	}
	return all
}

func (r *run) makeTexts(context.Context) error {
	for _, k := range kinds {
		var err error
		if r.texts[k.tokens], err = tokenized(r.Seed, textsOfLength, k.tokens); err != nil {
			return err
		}
	}
	return nil
}
