package engine

import (
	"errors"

	"loci/engine/memory"
	"loci/storage"
)

// View is a tenant as it stood at one commit. It never changes; what has been
// erased since is gone from it all the same.
type View struct {
	store *storage.Partition
	kit   Kit
	*indexes
	rows      table // the header of that time; it hides the live one
	at        int64 // the commit time looked at
	published int64 // the commit time of publication
	docs      int
	length    int64
	now       generation
	next      *generation
}

// before is the view at an earlier time: what was known then, in the words of
// then.
func (v *View) before(at int64) *View {
	if at >= v.at {
		return v
	}
	past := *v
	past.at, past.docs, past.length = at, 0, 0
	for doc := range past.rows.count {
		if r := past.rows.at(doc); r.kind.Searchable() && r.seen(past.at, past.published) {
			past.docs++
			past.length += int64(r.length)
		}
	}
	return &past
}

// live is I1 for a doc.
func (v *View) live(doc uint32) bool { return v.rows.at(doc).seen(v.at, v.published) }

// find gives the row of a record as this view shows it.
func (v *View) find(id memory.ID) *row {
	for r := v.newest(id); r != nil; r = r.prev {
		if r.seen(v.at, v.published) {
			return r
		}
	}
	return nil
}

// visible is find for a caller: another project's record reads as absent.
func (v *View) visible(who memory.Caller, id memory.ID) (*row, error) {
	r := v.find(id)
	if r == nil || !who.Sees(r.project) {
		return nil, notFound(id)
	}
	return r, nil
}

// Get reads one memory.
func (v *View) Get(who memory.Caller, id memory.ID) (*memory.Memory, error) {
	r, err := v.visible(who, id)
	if err != nil {
		return nil, err
	}
	read, err := v.read([]*row{r})
	if err != nil {
		return nil, err
	}
	if len(read) == 0 {
		return nil, notFound(id)
	}
	return read[0], nil
}

// History reads every version of a memory, newest first.
func (v *View) History(who memory.Caller, id memory.ID) (*memory.History, error) {
	r, err := v.visible(who, id)
	if err != nil {
		return nil, err
	}
	var rows []*row
	for ; r != nil; r = r.prev {
		rows = append(rows, r)
	}
	read, err := v.read(rows)
	if err != nil {
		return nil, err
	}
	history := &memory.History{ID: id, Versions: []memory.Memory{}}
	for _, m := range read {
		history.Versions = append(history.Versions, *m)
	}
	return history, nil
}

// read fetches records at one instant, so that an erasure in between shows
// wholly or not at all; erased ones are left out.
func (v *View) read(rows []*row) ([]*memory.Memory, error) {
	snap := v.store.Read()
	defer snap.Close()
	all := make([]*memory.Memory, 0, len(rows))
	for _, r := range rows {
		m, err := readRecord(snap, r)
		if isNotFound(err) && r.erased.Load() != forever {
			continue
		}
		if err != nil {
			return nil, err
		}
		m.Entities = v.named(m.Entities)
		all = append(all, m)
	}
	return all, nil
}

// named fills in the names of links and drops entities that are gone.
func (v *View) named(links []memory.Link) []memory.Link {
	kept := links[:0]
	for _, l := range links {
		if r := v.find(l.EntityID); r != nil {
			kept = append(kept, memory.Link{EntityID: l.EntityID, Name: r.name})
		}
	}
	return kept
}

func isNotFound(err error) bool { return errors.Is(err, storage.ErrNotFound) }
