package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	killRounds = flag.Int("kill.rounds", 8, "how often TestKill kills the server")
	killSeed   = flag.Uint64("kill.seed", 1, "decides what TestKill writes and when it kills")
)

// TestKill kills the server with kill -9 again and again while writers of two
// tenants are at work. After each kill the stopped store must check clean, and
// after the restart every acknowledged write must be there with its content,
// be found by search, and nothing deleted may come back. A write that was cut
// off before its answer may be there whole or not at all.
func TestKill(t *testing.T) {
	k := newKiller(t)
	for round := range *killRounds {
		k.round(round)
		if t.Failed() {
			t.Fatalf("round %d of seed %d failed", round, *killSeed)
		}
	}
	k.everything()
	t.Logf("%d kills (%d of them during a start), %d acknowledged writes, %d cut off; none lost", k.kills, k.early, k.acknowledged(), k.cutOff())
}

type killer struct {
	t       *testing.T
	data    string
	rng     *rand.Rand
	writers []*writer
	kills   int
	early   int
}

func newKiller(t *testing.T) *killer {
	k := &killer{t: t, data: t.TempDir(), rng: rand.New(rand.NewPCG(*killSeed, 2))}
	child := k.start()
	defer child.kill()
	k.loci("tenant", "create", "other")
	keys := []string{bootstrapKey, strings.TrimSpace(k.loci("key", "create", "--tenant", "other"))}
	for i := range 4 {
		k.writers = append(k.writers, newWriter(i, keys[i%2], keys[(i+1)%2]))
	}
	return k
}

// round writes, kills, checks, restarts and looks.
func (k *killer) round(round int) {
	k.t.Helper()
	child := k.start()
	k.writeUntilKilled(child)
	k.loci("check")
	for k.rng.IntN(4) == 0 { // a recovery can be cut off as well
		k.killDuringStart()
	}
	child = k.start()
	defer child.kill()
	for _, w := range k.writers {
		w.url = child.url
	}
	k.each(func(w *writer) error { return w.verify(50) })
	k.stillThere(child)
}

// stillThere ends a server and shows what it said, if the test has failed or
// the server itself has something to say that it never should.
func (k *killer) stillThere(c *child) {
	k.t.Helper()
	c.kill()
	said := c.stderr.String()
	for _, word := range []string{"DATA RACE", "panic", "fatal error", "level=ERROR"} {
		if strings.Contains(said, word) {
			k.t.Errorf("the server said %q", word)
		}
	}
	if k.t.Failed() {
		k.t.Logf("the server ended with %v and said:\n%s", c.cmd.ProcessState, said)
	}
}

// everything looks at all that was ever acknowledged.
func (k *killer) everything() {
	k.t.Helper()
	child := k.start()
	defer child.kill()
	for _, w := range k.writers {
		w.url = child.url
	}
	k.each(func(w *writer) error { return w.verify(1 << 30) })
	k.stillThere(child)
}

func (k *killer) writeUntilKilled(child *child) {
	k.t.Helper()
	var dead sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	dead.Go(func() {
		// The moment of the kill: anywhere in the writers' work.
		timer := time.NewTimer(time.Duration(5+k.rng.IntN(250)) * time.Millisecond)
		defer timer.Stop()
		<-timer.C
		cancel()
		child.kill()
	})
	k.each(func(w *writer) error { w.url = child.url; return w.write(ctx) })
	dead.Wait()
	k.stillThere(child)
	k.kills++
	http.DefaultClient.CloseIdleConnections()
}

func (k *killer) killDuringStart() {
	k.t.Helper()
	child := k.spawn()
	timer := time.NewTimer(time.Duration(k.rng.IntN(80)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-child.listening:
	}
	child.kill()
	k.kills++
	k.early++
}

// each lets all writers work side by side and reports what went wrong.
func (k *killer) each(work func(*writer) error) {
	k.t.Helper()
	var all sync.WaitGroup
	for _, w := range k.writers {
		all.Go(func() {
			if err := work(w); err != nil {
				k.t.Errorf("writer %d: %v", w.number, err)
			}
		})
	}
	all.Wait()
}

func (k *killer) acknowledged() (n int) {
	for _, w := range k.writers {
		n += w.acknowledged
	}
	return n
}

func (k *killer) cutOff() (n int) {
	for _, w := range k.writers {
		n += w.cutOff
	}
	return n
}

// loci runs a command as a process and returns its standard output.
func (k *killer) loci(args ...string) string {
	k.t.Helper()
	cmd := exec.Command("loci", append(args, "--data", k.data)...)
	cmd.Env = childEnv()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		k.t.Fatalf("loci %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

func childEnv() []string {
	return append(os.Environ(), "LOCI_BOOTSTRAP_KEY="+bootstrapKey, "GORACE="+quickExit)
}

// child is a server in a process of its own.
type child struct {
	cmd       *exec.Cmd
	url       string
	listening chan string // its URL, or closed without one if it ended
	stderr    *safeBuffer
	ended     sync.WaitGroup
	once      sync.Once
}

func (k *killer) spawn() *child {
	k.t.Helper()
	c := &child{listening: make(chan string, 1), stderr: &safeBuffer{}}
	c.cmd = exec.Command("loci", "serve", "--addr", "127.0.0.1:0", "--data", k.data, "--access-log", "off")
	c.cmd.Env, c.cmd.Stderr = childEnv(), c.stderr
	stdout, err := c.cmd.StdoutPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		k.t.Fatal(err)
	}
	c.ended.Go(func() { c.readBanner(stdout) })
	k.t.Cleanup(c.kill)
	return c
}

func (c *child) readBanner(stdout io.Reader) {
	defer close(c.listening)
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "is listening on "); ok {
			c.listening <- url
		}
	}
}

// start spawns a server and waits until it answers.
func (k *killer) start() *child {
	k.t.Helper()
	c := k.spawn()
	url, ok := <-c.listening
	if !ok {
		c.kill()
		k.t.Fatalf("the server did not start: %s", c.stderr)
	}
	c.url = url
	return c
}

// kill is kill -9. It may be called twice.
func (c *child) kill() {
	c.once.Do(func() {
		_ = c.cmd.Process.Kill() // it may have ended by itself
		c.ended.Wait()
		_ = c.cmd.Wait() // "signal: killed"
	})
}

// fault says what a verification found, in words with the object's name.
func fault(format string, args ...any) error { return fmt.Errorf(format, args...) }
