package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"loci/engine/memory"
	"loci/storage"
)

// Write is a write on its way through the tenant's actor: prepared on the
// caller's goroutine, staged in the mailbox, answered after the commit.
type Write interface {
	// Err is why the write was refused; nil before and after a good Stage.
	Err() error
	// Fail refuses the write.
	Fail(error)

	stage(*stage) error
	from() memory.Caller
	// on is what the vectors in the write were made for.
	on() basis
	// result is what an Idempotency-Key replays: a pointer to fill or to keep.
	result() replayable
}

type replayable interface{ MarkReplayed() }

// outcome is the part that all writes share.
type outcome struct {
	who   memory.Caller
	basis basis
	err   error
}

func (o *outcome) Err() error          { return o.err }
func (o *outcome) Fail(err error)      { o.err = err }
func (o *outcome) from() memory.Caller { return o.who }
func (o *outcome) on() basis           { return o.basis }
func (o *outcome) result() replayable  { return nil }

// answerLife is how long an Idempotency-Key is remembered.
const answerLife = 24 * time.Hour

// answer is what is kept under an Idempotency-Key.
type answer struct {
	body    [32]byte // hash of the request
	expires time.Time
	result  []byte // JSON of the result
}

// run stages one write, or replays the answer it had the first time.
func (s *stage) run(w Write) error {
	if s.spent || w.on() != (basis{}) && w.on() != s.View().basis() {
		return ErrStale
	}
	once := w.from().Once
	if once.Key == "" || w.result() == nil {
		return s.carry(w)
	}
	key := onceKey(once)
	earlier, err := s.answer(key)
	if err != nil {
		return err
	}
	if earlier != nil {
		return replay(w, once, earlier)
	}
	if err := s.carry(w); err != nil {
		return err
	}
	return s.keep(key, once, w)
}

// carry stages a write. Refusals come before the first staged byte (I3); an
// error after it can only be a failed read, and then the whole group must go:
// the panic makes the actor throw the partition away (I5).
func (s *stage) carry(w Write) error {
	before := s.batch.Count()
	err := w.stage(s)
	if err != nil && s.batch.Count() != before {
		panic(fmt.Errorf("write refused when half staged: %w", err))
	}
	return err
}

func replay(w Write, once memory.Once, earlier *answer) error {
	if earlier.body != once.Body {
		return memory.Refuse(memory.Conflict, "this Idempotency-Key was used with another request")
	}
	if err := json.Unmarshal(earlier.result, w.result()); err != nil {
		return fmt.Errorf("read the answer kept for an idempotency key: %w", err)
	}
	w.result().MarkReplayed()
	return nil
}

// answer finds what is kept under a key, if it has not expired.
func (s *stage) answer(key [32]byte) (*answer, error) {
	if a, ok := s.once[key]; ok {
		return a, nil
	}
	raw, expires, err := s.disk().Answer(key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !expires.After(s.time()) {
		s.batch.DeleteAnswer(key, expires)
		return nil, nil
	}
	if len(raw) < 32 {
		return nil, errCorrupt
	}
	return &answer{[32]byte(raw[:32]), expires, raw[32:]}, nil
}

func (s *stage) keep(key [32]byte, once memory.Once, w Write) error {
	raw, err := json.Marshal(w.result())
	if err != nil {
		return fmt.Errorf("keep the answer for an idempotency key: %w", err)
	}
	a := &answer{once.Body, s.time().Add(answerLife), raw}
	s.once[key] = a
	s.batch.PutAnswer(key, a.expires, bytes.Join([][]byte{a.body[:], raw}, nil))
	return nil
}

// sweepEvery is how many commits pass between two looks for expired answers,
// and sweepMost how many are removed at one look.
const sweepEvery, sweepMost = 256, 512

// sweepAnswers removes answers whose time is over. A failed look is no
// reason to refuse anybody's write: the next one comes.
func (s *stage) sweepAnswers() {
	if s.sweep--; s.sweep >= 0 || s.batch.Empty() {
		return
	}
	s.sweep = sweepEvery
	expired, err := s.disk().ExpiredAnswers(s.time(), sweepMost)
	if err != nil {
		return
	}
	for _, e := range expired {
		if s.once[e.Key] == nil {
			s.batch.DeleteAnswer(e.Key, e.Expires)
		}
	}
}

// sumOf hashes parts that cannot run into one another.
func sumOf(parts ...string) [32]byte {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [32]byte(h.Sum(nil))
}

// onceKey is under which the answer to an Idempotency-Key is kept.
func onceKey(o memory.Once) [32]byte { return sumOf("once", o.Key) }
