package actors

import (
	"fmt"
	"runtime"
	"time"

	"loci/engine"
)

// Options of a system. Zero means the documented default.
type Options struct {
	// Kit is what tenants work with. Its Embedder and Analyzer are needed.
	Kit engine.Kit
	// Log makes batches durable; nil is the store's own commit with fsync.
	Log Log
	// Idle is how long a tenant stays in memory unused; 0 is 10 minutes,
	// negative is for ever.
	Idle time.Duration
	// MaxLive is how many tenants stay in memory; 0 is 10,000. Above it the
	// least recently used idle ones go. It may be passed for as long as more
	// tenants than that are busy.
	MaxLive int
	// Queue is how many messages may wait for one tenant; 0 is 4,096. A batch
	// counts once more for every 16 of its items.
	Queue int
	// QueueAll is the same for all tenants together; 0 is 65,536.
	QueueAll int
	// Reads is how many reads run at the same time; 0 is four for each core.
	Reads int
	// ReadQueue is how many reads may wait for their turn; 0 is 4,096.
	ReadQueue int
	// OpenAtOnce is how many tenants are loaded at the same time; 0 is 2.
	OpenAtOnce int
	// Grace is how long Close waits for what cannot be called off, after its
	// own context ended; 0 is 5 seconds.
	Grace time.Duration
	// Events are told what happens beside the answers.
	Events Events
}

func (o *Options) fill() error {
	for _, f := range []struct {
		name     string
		value    *int
		standard int
	}{
		{"MaxLive", &o.MaxLive, 10_000},
		{"Queue", &o.Queue, 4096},
		{"QueueAll", &o.QueueAll, 65_536},
		{"Reads", &o.Reads, 4 * runtime.GOMAXPROCS(0)},
		{"ReadQueue", &o.ReadQueue, 4096},
		{"OpenAtOnce", &o.OpenAtOnce, 2},
	} {
		if *f.value < 0 || *f.value > maxBound {
			return fmt.Errorf("option %s must be between 0 and %d", f.name, maxBound)
		}
		if *f.value == 0 {
			*f.value = f.standard
		}
	}
	return o.fillTimes()
}

// maxBound keeps sums of places far below the 31 bits of a gate.
const maxBound = 1 << 24

func (o *Options) fillTimes() error {
	if o.Grace < 0 {
		return fmt.Errorf("option Grace must not be negative")
	}
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	if o.Idle == 0 {
		o.Idle = 10 * time.Minute
	}
	return nil
}
