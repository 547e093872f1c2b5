package storage

// Stats are a few numbers for metrics.
type Stats struct {
	DiskBytes        uint64 // all files of the store
	TableBytes       uint64
	Tables           int64
	MemTableBytes    uint64
	WALBytes         uint64 // live bytes of the log
	WALFiles         int64
	WALBytesWritten  uint64 // since opening
	Flushes          int64
	Compactions      int64
	CompactionDebt   uint64 // bytes that compactions have yet to move
	ReadAmp          int    // tables a point read may have to look at
	CacheBytes       int64
	CacheHits        int64
	CacheMisses      int64
	SnapshotsOpen    int
	WritesRefused    bool
	CompactionsNow   int64
	TombstonesOnDisk uint64
}

// Stats reads the numbers. After Close they are zero.
func (s *Store) Stats() Stats {
	if !s.gate.enter() {
		return Stats{}
	}
	defer s.gate.leave()
	m := s.db.Metrics()
	total := m.Total()
	return Stats{
		DiskBytes:        m.DiskSpaceUsage(),
		TableBytes:       uint64(total.TablesSize),
		Tables:           total.TablesCount,
		MemTableBytes:    m.MemTable.Size,
		WALBytes:         m.WAL.Size,
		WALFiles:         m.WAL.Files,
		WALBytesWritten:  m.WAL.BytesWritten,
		Flushes:          m.Flush.Count,
		Compactions:      m.Compact.Count,
		CompactionDebt:   m.Compact.EstimatedDebt,
		CompactionsNow:   m.Compact.NumInProgress,
		ReadAmp:          m.ReadAmp(),
		CacheBytes:       m.BlockCache.Size,
		CacheHits:        m.BlockCache.Hits,
		CacheMisses:      m.BlockCache.Misses,
		SnapshotsOpen:    m.Snapshots.Count,
		WritesRefused:    s.Err() != nil,
		TombstonesOnDisk: m.Keys.TombstoneCount,
	}
}
