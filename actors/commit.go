package actors

// mostPlaces bounds one group: the change of 1,024 plain writes is about 1 MB,
// and nobody waits for a commit of more.
const mostPlaces = 1024

// storeAll carries out the writes of a batch, in groups.
func (t *tenant) storeAll(batch []message) {
	t.storings = t.storings[:0]
	for _, m := range batch {
		if w, ok := m.(*storing); ok && t.taken(w) {
			t.storings = append(t.storings, w)
		}
	}
	for rest := t.storings; len(rest) > 0; {
		n := groupOf(rest)
		t.store(rest[:n])
		rest = rest[n:]
	}
}

// groupOf is how many of the first writes go together: at least one.
func groupOf(waiting []*storing) int {
	places := waiting[0].places
	for n, w := range waiting[1:] {
		if places += w.places; places > mostPlaces {
			return n + 1
		}
	}
	return len(waiting)
}

// store carries out one group: one Stage, one Append, one Publish, and only
// then the answers (I4).
func (t *tenant) store(group []*storing) {
	if err := t.writable(); err != nil {
		refuseGroup(group, err)
		return
	}
	change := t.stage(group)
	if err := t.append(change, len(group)); err != nil {
		change.Batch().Close()
		refuseGroup(group, errNotStored(err))
		return
	}
	t.part.Publish(change)
	t.view.Store(t.part.View())
	t.recovered()
	t.replaceSpent()
	for _, w := range group {
		w.answer(struct{}{}, w.what.Err())
	}
}

func (t *tenant) stage(group []*storing) change {
	t.writes = t.writes[:0]
	for _, w := range group {
		t.writes = append(t.writes, w.what)
	}
	t.sys.count.groups.Add(1)
	return t.part.Stage(t.writes)
}

// append makes a change durable. If that fails nobody knows how much of it is
// on disk: the partition is thrown away (I5).
func (t *tenant) append(c change, writes int) error {
	if c.Empty() {
		return nil
	}
	if err := t.sys.ground.log.Append(t.sys.life, c.Batch()); err != nil {
		t.sys.count.commitErrors.Add(1)
		t.fail(err)
		return err
	}
	t.sys.count.commits.Add(1)
	t.sys.count.writes.Add(uint64(writes))
	return nil
}

func refuseGroup(group []*storing, err error) {
	for _, w := range group {
		w.refuse(err)
	}
}
