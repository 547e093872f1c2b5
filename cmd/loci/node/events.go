package node

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"loci/actors"
	"loci/engine/memory"
	"loci/storage"
)

// counts are what the rooms' events add up to, beside their own Stats.
type counts struct {
	stalls     atomic.Uint64
	background atomic.Uint64
	erased     atomic.Uint64
}

func (n *Node) storageEvents() storage.Events {
	return storage.Events{
		Broken: func(cause error) {
			n.Log.Error("the store is broken and refuses writes until a restart", keyCause, cause)
		},
		Background: func(err error) {
			n.counts.background.Add(1)
			n.Log.Warn("the store had an error in the background and will try again", keyError, err)
		},
		StallBegin: func(reason string) {
			n.counts.stalls.Add(1)
			n.Log.Warn("the store makes writers wait", keyReason, reason)
		},
		StallEnd: func() { n.Log.Info("the store takes writes again") },
		Erased: func(t memory.TenantID, took time.Duration) {
			n.counts.erased.Add(1)
			n.Log.Info("erased a tenant", keyTenant, t.String(), keyTook, took)
		},
		Engine: n.engineMessage,
	}
}

// engineMessage passes Pebble's own words on, one level lower: what an
// operator must know comes through the other events.
func (n *Node) engineMessage(level slog.Level, message string) {
	if level < slog.LevelError {
		level = slog.LevelDebug
	}
	n.Log.Log(context.Background(), level, "pebble", keyReason, message)
}

func (n *Node) actorEvents() actors.Events {
	return actors.Events{
		Activated: func(t memory.TenantID, took time.Duration) {
			n.Log.Debug("tenant activated", keyTenant, t.String(), keyTook, took)
		},
		Passivated: func(t memory.TenantID) { n.Log.Debug("tenant passivated", keyTenant, t.String()) },
		Reembedded: func(t memory.TenantID, records int, took time.Duration) {
			n.Log.Info("embedded a tenant anew", keyTenant, t.String(), keyRecords, records, keyTook, took)
		},
		Failed: func(t memory.TenantID, err error, rests time.Duration) {
			n.Log.Error("a tenant failed and rests", keyTenant, t.String(), keyError, err, keyRests, rests)
		},
		Panicked: func(t memory.TenantID, value any, stack []byte) {
			n.Log.Error("a tenant panicked", keyTenant, t.String(), keyPanic, fmt.Sprint(value), keyStack, string(stack))
		},
	}
}
