package storage

// maxMemTables is how many full memtables' worth of bytes may wait before
// writers do: one being filled and three waiting for a slow disk. Bytes are
// counted and not tables, because Pebble begins with small ones and flushes
// them only together.
const maxMemTables = 4

// makeWay holds a writer back while too many memtables wait for their flush.
// Pebble can do that too, but a writer inside Pebble cannot be called back
// when flushes fail: it, and Close, would wait for as long as the disk is bad.
//
// Asking Pebble for its numbers takes some ten microseconds, so it is done
// only once after a memtable was filled.
func (s *Store) makeWay() error {
	for stalled := false; ; {
		turn := s.health.turn()
		if err := s.health.refusal(); err != nil {
			return err
		}
		if !s.health.rotated.Swap(false) {
			return nil
		}
		if s.db.Metrics().MemTable.Size < maxMemTables*uint64(s.options.MemTableBytes) {
			return nil
		}
		s.health.rotated.Store(true)
		if !stalled {
			stalled = true
			s.health.stall("memtables wait for their flush")
			defer s.health.unstall()
		}
		<-turn
	}
}

// flush writes the memtable to a table, and gives up when that fails.
func (s *Store) flush() error {
	done, err := s.db.AsyncFlush()
	if err != nil {
		return err
	}
	for {
		turn := s.health.turn()
		if err := s.health.refusal(); err != nil {
			return err
		}
		select {
		case <-done:
			return s.health.broken()
		case <-turn:
		}
	}
}
