package memory

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"sync"
	"time"
)

// ID names a memory, an entity, a key or a task: a UUID, version 7 where Loci
// made it. The zero ID names nothing.
type ID [16]byte

// TenantID names a tenant. It is a type of its own so that no function takes
// a tenant for a memory.
type TenantID [16]byte

var errID = errors.New("is not a UUID")

// ParseID reads the canonical form, in either case.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, errID
	}
	at := 0
	for _, part := range [5][2]int{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 36}} {
		n, err := hex.Decode(id[at:], []byte(s[part[0]:part[1]]))
		if err != nil {
			return ID{}, errID
		}
		at += n
	}
	return id, nil
}

// ParseTenantID reads the canonical form of a tenant's id.
func ParseTenantID(s string) (TenantID, error) {
	id, err := ParseID(s)
	return TenantID(id), err
}

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// IsZero reports whether t names nobody.
func (t TenantID) IsZero() bool { return t == TenantID{} }

func (id ID) String() string      { return string(id.append(make([]byte, 0, 36))) }
func (t TenantID) String() string { return ID(t).String() }

func (id ID) append(dst []byte) []byte {
	dst = hex.AppendEncode(dst, id[0:4])
	dst = hex.AppendEncode(append(dst, '-'), id[4:6])
	dst = hex.AppendEncode(append(dst, '-'), id[6:8])
	dst = hex.AppendEncode(append(dst, '-'), id[8:10])
	return hex.AppendEncode(append(dst, '-'), id[10:16])
}

// MarshalText writes the canonical form; the zero ID is empty.
func (id ID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	return id.append(make([]byte, 0, 36)), nil
}

// UnmarshalText reads the canonical form; empty is the zero ID.
func (id *ID) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*id = ID{}
		return nil
	}
	*id, err = ParseID(string(text))
	return err
}

// MarshalText writes the canonical form.
func (t TenantID) MarshalText() ([]byte, error) { return ID(t).MarshalText() }

// UnmarshalText reads the canonical form.
func (t *TenantID) UnmarshalText(text []byte) error { return (*ID)(t).UnmarshalText(text) }

// Compare orders ids as their bytes, which for version 7 is by time.
func (id ID) Compare(other ID) int {
	a, b := binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(other[:8])
	if a == b {
		a, b = binary.BigEndian.Uint64(id[8:]), binary.BigEndian.Uint64(other[8:])
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// maker hands out version 7 ids that rise strictly within one process, even
// inside one millisecond: the 12 bits after the version hold a counter
// (RFC 9562, section 6.2, method 1).
var maker struct {
	sync.Mutex
	milli   int64
	counter uint16
	pool    [512]byte
	unused  int
}

// NewID makes an id for this moment.
func NewID() ID { return NewIDAt(time.Now()) }

// NewTenantID makes an id for a tenant.
func NewTenantID() TenantID { return TenantID(NewID()) }

// NewIDAt makes an id for the given moment, or for the last one handed out if
// that is later: ids never run backwards.
func NewIDAt(now time.Time) ID {
	maker.Lock()
	defer maker.Unlock()
	milli := max(now.UnixMilli(), maker.milli)
	if milli > maker.milli {
		maker.milli, maker.counter = milli, 0
	} else if maker.counter++; maker.counter > 0xfff {
		maker.milli, maker.counter = milli+1, 0
	}
	return assemble(maker.milli, maker.counter)
}

func assemble(milli int64, counter uint16) ID {
	var id ID
	binary.BigEndian.PutUint64(id[:8], uint64(milli)<<16|0x7000|uint64(counter))
	copy(id[8:], randomTail())
	id[8] = id[8]&0x3f | 0x80
	return id
}

// randomTail cuts eight random bytes from a pool: one call to the kernel
// serves 64 ids.
func randomTail() []byte {
	if maker.unused == 0 {
		_, _ = rand.Read(maker.pool[:]) // never fails: crypto/rand aborts the process instead
		maker.unused = len(maker.pool)
	}
	maker.unused -= 8
	return maker.pool[maker.unused : maker.unused+8]
}

// Time says when an id of version 7 was made.
func (id ID) Time() time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16)).UTC()
}
