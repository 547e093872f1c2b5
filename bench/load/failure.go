package load

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"syscall"
)

// Failure is how often one kind of error happened.
type Failure struct {
	Kind  string `json:"kind"`
	Count int64  `json:"count"`
	// Example is the text of the first one.
	Example string `json:"example"`
}

// KindTimeout is the kind of an answer that did not come in time (I4).
const KindTimeout = "timeout"

// KindOf sorts an error. One that has a method Kind() string names itself.
func KindOf(err error) string {
	var named interface{ Kind() string }
	switch {
	case errors.As(err, &named):
		return named.Kind()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return KindTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection closed"
	}
	return "other"
}

// failures counts errors by kind; it allocates only for the first of a kind.
type failures map[string]*Failure

func (f failures) add(kind string, err error) {
	known := f[kind]
	if known == nil {
		known = &Failure{Kind: kind, Example: err.Error()}
		f[kind] = known
	}
	known.Count++
}

func (f failures) merge(other failures) {
	for kind, theirs := range other {
		if ours := f[kind]; ours != nil {
			ours.Count += theirs.Count
			continue
		}
		copied := *theirs
		f[kind] = &copied
	}
}

// list is the most frequent first, and by name where the counts are equal.
func (f failures) list() []Failure {
	all := make([]Failure, 0, len(f))
	for _, one := range f {
		all = append(all, *one)
	}
	slices.SortFunc(all, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	return all
}
