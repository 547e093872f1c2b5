package engine

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"loci/engine/memory"
)

// cursor says where a search goes on: at the same commit, so that pages never
// overlap nor skip, whatever is written in between. It holds no clock, so that
// equal requests get equal cursors.
type cursor struct {
	at     int64
	offset int
}

var errCursor = memory.BadField("cursor", "is not a cursor of this request")

// maxOffset bounds how far a search can be paged.
const maxOffset = 10_000

// String seals the cursor with a fingerprint of its request.
func (c cursor) String(fingerprint [8]byte) string {
	raw := append(make([]byte, 0, 20), fingerprint[:]...)
	raw = binary.BigEndian.AppendUint64(raw, uint64(c.at))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(raw, uint32(c.offset)))
}

func parseCursor(s string, fingerprint [8]byte) (cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(raw) != 20 || [8]byte(raw[:8]) != fingerprint {
		return cursor{}, errCursor
	}
	c := cursor{int64(binary.BigEndian.Uint64(raw[8:])), int(binary.BigEndian.Uint32(raw[16:]))}
	if c.offset > maxOffset {
		return cursor{}, memory.BadField("cursor", fmt.Sprintf("goes beyond %d results", maxOffset))
	}
	return c, nil
}

// searchFingerprint ties a cursor to everything that decides the order.
func searchFingerprint(r *memory.SearchRequest) [8]byte {
	same := *r
	same.Cursor, same.Limit, same.Explain, same.TokenBudget = "", 0, false, 0
	return fingerprint(fmt.Sprintf("%q %v %v %v", same.Query, same.Selection, same.Mode, describe(&same)))
}

func describe(r *memory.SearchRequest) string {
	weight, least := "default", "none"
	if r.RecencyWeight != nil {
		weight = fmt.Sprint(*r.RecencyWeight)
	}
	if r.MinScore != nil {
		least = fmt.Sprint(*r.MinScore)
	}
	return fmt.Sprint(weight, " ", least, " ", r.AsOf, r.KnownAt, r.IncludeSuperseded)
}

func fingerprint(s string) [8]byte {
	sum := sumOf("cursor", s)
	return [8]byte(sum[:8])
}

// place is where a list goes on: after this row in the list's own order.
type place struct {
	key int64
	id  memory.ID
}

func (p place) String() string {
	raw := binary.BigEndian.AppendUint64(make([]byte, 0, 24), uint64(p.key))
	return base64.RawURLEncoding.EncodeToString(append(raw, p.id[:]...))
}

func parsePlace(s string) (*place, error) {
	if s == "" {
		return nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(raw) != 24 {
		return nil, errCursor
	}
	return &place{int64(binary.BigEndian.Uint64(raw)), memory.ID(raw[8:])}, nil
}
