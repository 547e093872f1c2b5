package actors

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"loci/engine/memory"
)

// The power fails at random moments while writers of two tenants learn, change
// and erase through the actors. In every state of the disk that a crash may
// leave, each acknowledged write is found by id and by search, writes of one
// writer are there in their order without a gap, and the check is clean.
func TestCrashes(t *testing.T) {
	const writers, clones = 8, 6
	disk := vfs.NewCrashableMem()
	store := openStore(t, disk, "store")
	s := systemOver(t, store, Options{})
	tenants := []memory.Caller{someone(), someone()}
	diaries := make([]*diary, writers)
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range diaries {
		diaries[i] = &diary{writer: i, who: tenants[i%2], moved: make(chan struct{}, 1)}
		all.Go(func() { diaries[i].keep(t, s, stop) })
	}
	random := rand.New(rand.NewPCG(7, 7))
	var crashes []crashed
	for range clones {
		for range 5 + random.IntN(40) { // the moment: after so many more acknowledgements
			<-diaries[random.IntN(writers)].moved
		}
		crashes = append(crashes, crashNow(disk, diaries, random))
	}
	close(stop)
	for _, d := range diaries {
		go func() { // nobody listens any more
			for range d.moved {
			}
		}()
	}
	all.Wait()
	for _, d := range diaries {
		close(d.moved)
	}
	closeSystem(t, s)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for i, c := range crashes {
		t.Run(fmt.Sprint(i), func(t *testing.T) { c.verify(t, tenants, diaries) })
	}
}

// step is one write of a diary: it learns a memory, or gives an earlier one a
// new text, or erases it (text "").
type step struct {
	memory int // which of the diary's memories
	text   string
}

// diary is what one writer did, in order: it waits for each write.
type diary struct {
	writer int
	who    memory.Caller
	moved  chan struct{} // told after an acknowledgement

	mu    sync.Mutex
	steps []step // begun
	acked int    // of them
	ids   []memory.ID
}

func (d *diary) keep(t *testing.T, s *System, stop <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		st := d.next(n)
		d.begin(st)
		if err := d.carryOut(t, s, st); err != nil {
			t.Errorf("writer %d: %v", d.writer, err)
			return
		}
		d.mu.Lock()
		d.acked++
		d.mu.Unlock()
		select {
		case d.moved <- struct{}{}:
		case <-stop:
		}
	}
}

// next is two new memories, a change of the second, and the end of the first.
func (d *diary) next(n int) step {
	text := fmt.Sprintf("writer%dx step%dx", d.writer, n)
	switch first := n / 4 * 2; n % 4 {
	case 0:
		return step{first, text}
	case 1, 2:
		return step{first + 1, text}
	default:
		return step{first, ""}
	}
}

func (d *diary) begin(st step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps = append(d.steps, st)
}

func (d *diary) carryOut(t *testing.T, s *System, st step) error {
	switch {
	case st.memory == len(d.ids):
		learned, err := s.Learn(t.Context(), d.who, &memory.LearnRequest{Content: st.text, Dedupe: "off"})
		if err == nil {
			d.ids = append(d.ids, learned.ID)
		}
		return err
	case st.text == "":
		return s.Delete(t.Context(), d.who, d.ids[st.memory], nil)
	}
	patch := &memory.PatchRequest{Content: memory.Field[string]{Given: true, Value: st.text}}
	_, err := s.Patch(t.Context(), d.who, d.ids[st.memory], nil, patch)
	return err
}

// state is what the diary's memories say after so many steps.
func (d *diary) state(steps int) map[int]string {
	state := map[int]string{}
	for _, st := range d.steps[:steps] {
		state[st.memory] = st.text
	}
	return state
}

// crashed is a disk after a crash, and how far each writer was at least and at
// most.
type crashed struct {
	disk    *vfs.MemFS
	percent int
	acked   []int
	begun   []int
}

func crashNow(disk *vfs.MemFS, diaries []*diary, random *rand.Rand) crashed {
	c := crashed{percent: random.IntN(101)}
	for _, d := range diaries {
		d.mu.Lock()
		c.acked = append(c.acked, d.acked)
		d.mu.Unlock()
	}
	c.disk = disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: c.percent, RNG: random})
	for _, d := range diaries {
		d.mu.Lock()
		c.begun = append(c.begun, len(d.steps))
		d.mu.Unlock()
	}
	return c
}

func (c crashed) verify(t *testing.T, tenants []memory.Caller, diaries []*diary) {
	store := openStore(t, c.disk, "store")
	s := systemOver(t, store, Options{})
	for i, d := range diaries {
		if !c.holds(t, s, d, i) {
			t.Errorf("%d%% of unsynced data: writer %d acknowledged %d steps of %d, and the disk shows no state from there on",
				c.percent, i, c.acked[i], c.begun[i])
		}
	}
	for _, who := range tenants {
		report, err := s.CheckTenant(t.Context(), who.Tenant)
		if err != nil || len(report.Problems) > 0 {
			t.Errorf("check: %v, %+v", err, report)
		}
	}
	closeSystem(t, s)
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// holds reports whether the disk shows the diary's state after some step that
// is not before the last acknowledged one.
func (c crashed) holds(t *testing.T, s *System, d *diary, i int) bool {
	for steps := c.acked[i]; steps <= c.begun[i]; steps++ {
		if shows(t, s, d, d.state(steps)) {
			return true
		}
	}
	return false
}

func shows(t *testing.T, s *System, d *diary, want map[int]string) bool {
	for n, id := range d.ids {
		m, err := s.Get(t.Context(), d.who, id)
		found := ""
		if err == nil {
			found = m.Content
		}
		if found != want[n] || found != "" && !finds(t, s, d.who, id, found) {
			return false
		}
	}
	return true
}

func finds(t *testing.T, s *System, who memory.Caller, id memory.ID, text string) bool {
	found, err := s.Search(t.Context(), who, &memory.SearchRequest{Query: text, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range found.Results {
		if hit.ID == id {
			return true
		}
	}
	return false
}
