package node

import (
	"fmt"
	"io"
	"slices"

	"loci/actors"
	"loci/engine/embed"
	"loci/engine/memory"
	"loci/storage"
)

// metric is one line of /metrics.
type metric struct {
	kind  string // gauge or counter
	name  string
	help  string
	value any
}

const (
	gauge   = "gauge"
	counter = "counter"
)

// writeMetrics appends the numbers of storage, actors and model in the Prometheus
// text format. A scrape that fails half way is the scraper's to report.
func (n *Node) writeMetrics(w io.Writer) {
	for _, m := range slices.Concat(n.storageMetrics(n.store.Stats()), actorMetrics(n.system.Stats()), poolMetrics(n.embedder)) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %v\n", m.name, m.help, m.name, m.kind, m.name, m.value)
	}
}

func (n *Node) storageMetrics(s storage.Stats) []metric {
	return []metric{
		{gauge, "loci_storage_disk_bytes", "Bytes of all files of the store.", s.DiskBytes},
		{gauge, "loci_storage_table_bytes", "Bytes of tables.", s.TableBytes},
		{gauge, "loci_storage_tables", "Tables.", s.Tables},
		{gauge, "loci_storage_memtable_bytes", "Bytes of memtables.", s.MemTableBytes},
		{gauge, "loci_storage_wal_bytes", "Live bytes of the log.", s.WALBytes},
		{counter, "loci_storage_wal_written_bytes_total", "Bytes written to the log.", s.WALBytesWritten},
		{counter, "loci_storage_flushes_total", "Memtables flushed.", s.Flushes},
		{counter, "loci_storage_compactions_total", "Compactions done.", s.Compactions},
		{gauge, "loci_storage_compaction_debt_bytes", "Bytes that compactions have yet to move.", s.CompactionDebt},
		{gauge, "loci_storage_read_amplification", "Tables that a point read may look at.", s.ReadAmp},
		{gauge, "loci_storage_cache_bytes", "Bytes in the block cache.", s.CacheBytes},
		{counter, "loci_storage_cache_hits_total", "Blocks found in the cache.", s.CacheHits},
		{counter, "loci_storage_cache_misses_total", "Blocks read from disk.", s.CacheMisses},
		{gauge, "loci_storage_snapshots", "Open snapshots.", s.SnapshotsOpen},
		{gauge, "loci_storage_writes_refused", "1 while the store refuses writes.", bit(s.WritesRefused)},
		{counter, "loci_storage_stalls_total", "Times that writers had to wait for the store.", n.counts.stalls.Load()},
		{counter, "loci_storage_background_errors_total", "Errors in the background.", n.counts.background.Load()},
		{counter, "loci_storage_tenants_erased_total", "Tenants erased.", n.counts.erased.Load()},
	}
}

func actorMetrics(s actors.Stats) []metric {
	return []metric{
		{gauge, "loci_actors_live", "Tenants in memory.", s.Live},
		{gauge, "loci_actors_queued", "Writes that wait, all tenants.", s.Queued},
		{gauge, "loci_actors_longest_queue", "Writes that wait for the busiest tenant.", s.LongestQueue},
		{gauge, "loci_actors_reads_running", "Reads that run.", s.ReadsRunning},
		{gauge, "loci_actors_reads_waiting", "Reads that wait.", s.ReadsWaiting},
		{counter, "loci_actors_refused_tenant_total", "Refused: a tenant's queue was full.", s.RefusedTenant},
		{counter, "loci_actors_refused_node_total", "Refused: all queues together were full.", s.RefusedNode},
		{counter, "loci_actors_refused_reads_total", "Refused: too many reads waited.", s.RefusedReads},
		{counter, "loci_actors_refused_resting_total", "Refused: the tenant was being recovered.", s.RefusedResting},
		{counter, "loci_actors_refused_closing_total", "Refused: the server was stopping.", s.RefusedClosing},
		{counter, "loci_actors_dropped_total", "Requests whose caller had gone.", s.Dropped},
		{counter, "loci_actors_activations_total", "Tenants loaded.", s.Activations},
		{counter, "loci_actors_passivations_total", "Tenants that left memory.", s.Passivations},
		{counter, "loci_actors_reembedded_total", "Records given a vector of another embedder.", s.Reembedded},
		{counter, "loci_actors_restarts_total", "Tenants loaded again after a failure or for room.", s.Restarts},
		{counter, "loci_actors_open_errors_total", "Tenants that could not be loaded.", s.OpenErrors},
		{counter, "loci_actors_panics_total", "Panics caught.", s.Panics},
		{counter, "loci_actors_commits_total", "Group commits.", s.Commits},
		{counter, "loci_actors_commit_errors_total", "Group commits that failed.", s.CommitErrors},
		{counter, "loci_actors_writes_total", "Writes in those commits.", s.Writes},
	}
}

// poolMetrics are those of the built-in model; another embedder has none.
func poolMetrics(e memory.Embedder) []metric {
	pool, ok := e.(*embed.Pool)
	if !ok {
		return nil
	}
	s := pool.Stats()
	return []metric{
		{counter, "loci_embed_passes_total", "Passes through the model.", s.Passes},
		{counter, "loci_embed_texts_total", "Texts embedded.", s.Texts},
		{counter, "loci_embed_tokens_total", "Tokens embedded.", s.Tokens},
		{counter, "loci_embed_busy_microseconds_total", "Time in the model, added up over workers.", s.Busy.Microseconds()},
		{counter, "loci_embed_cache_hits_total", "Questions whose vector was known.", s.CacheHits},
		{counter, "loci_embed_cache_misses_total", "Questions whose vector was not known.", s.CacheMisses},
		{counter, "loci_embed_refused_full_total", "Refused: no place in the queue.", s.Full},
		{counter, "loci_embed_refused_late_total", "Refused: the deadline was too near.", s.Late},
		{gauge, "loci_embed_queries_waiting", "Questions waiting or in a pass.", s.QueriesTaken},
		{gauge, "loci_embed_documents_waiting", "Documents waiting or in a pass.", s.DocumentsTaken},
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
