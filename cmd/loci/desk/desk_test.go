package desk

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"loci/engine"
	"loci/engine/analysis"
	"loci/engine/embed"
	"loci/engine/memory"
	"loci/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func kit() engine.Kit {
	return engine.Kit{Embedder: embed.NewHash(256), Analyzer: analysis.New(), Now: time.Now}
}

func openStore(t *testing.T, data string) *storage.Store {
	t.Helper()
	store, err := storage.Open(StoreDir(data), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// offices opens the same kind of store both ways: a desk in this process, and
// one behind a socket.
func offices(t *testing.T) map[string]Office {
	t.Helper()
	direct := New(openStore(t, t.TempDir()), kit(), nil)
	data := t.TempDir()
	server, err := Listen(data, New(openStore(t, data), kit(), nil))
	if err != nil {
		t.Fatal(err)
	}
	client, err := Reach(context.Background(), data, kit())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := client.(*Client); !ok {
		t.Fatalf("the running desk was not found: %T", client)
	}
	t.Cleanup(func() {
		if err := errors.Join(client.Close(), server.Close(context.Background()), server.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return map[string]Office{"direct": direct, "socket": client}
}

// TestBothWays goes through every operation, on a desk and through a socket.
func TestBothWays(t *testing.T) {
	for way, o := range offices(t) {
		t.Run(way, func(t *testing.T) {
			ctx := context.Background()
			var one, two, found, gone Tenant
			must(t, o.Do(ctx, OpTenantCreate, Named{"one"}, &one))
			must(t, o.Do(ctx, OpTenantCreate, Named{"two"}, &two))
			must(t, o.Do(ctx, OpTenantFind, Named{two.ID.String()}, &found))
			if diff := cmp.Diff(two, found); diff != "" {
				t.Error(diff)
			}
			var made, other MadeKey
			must(t, o.Do(ctx, OpKeyCreate, NewKey{Tenant: "one", Name: "first"}, &made))
			must(t, o.Do(ctx, OpKeyCreate, NewKey{Tenant: "two", Scopes: []memory.Scope{memory.ScopeRead}}, &other))
			if !strings.HasPrefix(made.Secret, "loci_") || strings.Contains(made.Shown, made.Secret) {
				t.Errorf("got secret %q, shown as %q", made.Secret, made.Shown)
			}
			var keys []Key
			must(t, o.Do(ctx, OpKeyList, Named{}, &keys))
			if diff := cmp.Diff([]Key{made.Key, other.Key}, keys); diff != "" {
				t.Error(diff)
			}
			var revoked Key
			must(t, o.Do(ctx, OpKeyRevoke, Named{made.ID.String()}, &revoked))
			if revoked.RevokedAt.IsZero() || revoked.Tenant != "one" {
				t.Errorf("got %+v", revoked)
			}
			must(t, o.Do(ctx, OpTenantDelete, Named{"one"}, &gone))
			var left []Tenant
			must(t, o.Do(ctx, OpTenantList, Nothing{}, &left))
			if diff := cmp.Diff([]Tenant{{ID: two.ID, Name: "two", CreatedAt: two.CreatedAt, Keys: 1}}, left); diff != "" {
				t.Error(diff)
			}
			checkAndBackup(t, o)
		})
	}
}

func checkAndBackup(t *testing.T, o Office) {
	t.Helper()
	var found Findings
	must(t, o.Do(context.Background(), OpCheck, Named{}, &found))
	if !found.Clean() || len(found.Tenants) != 1 {
		t.Errorf("got %+v", found)
	}
	dir := filepath.Join(t.TempDir(), "copy")
	must(t, o.Do(context.Background(), OpBackup, Backup{dir}, &Backup{}))
	if _, ok := openStore(t, dir).Control().TenantByName("two"); !ok {
		t.Error("the backup lacks a tenant")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRefusals: each names what is wrong, the same both ways.
func TestRefusals(t *testing.T) {
	full := t.TempDir()
	must(t, os.WriteFile(filepath.Join(full, "file"), nil, 0o600))
	for way, o := range offices(t) {
		t.Run(way, func(t *testing.T) {
			for _, c := range []struct {
				op   string
				in   any
				want string
			}{
				{"dance", Nothing{}, `no operation "dance"`},
				{OpTenantCreate, Named{"a b"}, "is not a name"},
				{OpTenantCreate, []int{1}, "read the request"},
				{OpTenantDelete, Named{"nobody"}, `no tenant "nobody"`},
				{OpKeyCreate, NewKey{Tenant: "nobody"}, `no tenant "nobody"`},
				{OpKeyList, Named{"nobody"}, `no tenant "nobody"`},
				{OpKeyRevoke, Named{"x"}, "is not a UUID"},
				{OpKeyRevoke, Named{memory.NewID().String()}, "key"},
				{OpCheck, Named{"nobody"}, `no tenant "nobody"`},
				{OpBackup, Backup{"relative"}, "absolute"},
				{OpBackup, Backup{full}, "not empty"},
			} {
				var out json.RawMessage
				err := o.Do(context.Background(), c.op, c.in, &out)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: got %v, want %q", c.op, err, c.want)
				}
			}
		})
	}
}

// failing is a server whose actor of one tenant cannot be stopped.
type failing struct{ Actors }

var errStuck = errors.New("the actor is stuck")

func (failing) Drop(context.Context, memory.TenantID) error { return errStuck }

// TestInterruptedDelete shows I2: the keys fail from the first step on, and
// what was cut off is finished later, without touching the other tenant.
func TestInterruptedDelete(t *testing.T) {
	ctx, store := context.Background(), openStore(t, t.TempDir())
	d := New(store, kit(), failing{})
	var doomed, other Tenant
	var key, otherKey MadeKey
	must(t, d.Do(ctx, OpTenantCreate, Named{"doomed"}, &doomed))
	must(t, d.Do(ctx, OpTenantCreate, Named{"other"}, &other))
	must(t, d.Do(ctx, OpKeyCreate, NewKey{Tenant: "doomed"}, &key))
	must(t, d.Do(ctx, OpKeyCreate, NewKey{Tenant: "other"}, &otherKey))
	putMeta(t, store, doomed.ID)
	putMeta(t, store, other.ID)

	err := d.Do(ctx, OpTenantDelete, Named{"doomed"}, &Tenant{})
	if err == nil || !strings.Contains(err.Error(), "next start") {
		t.Fatalf("got %v", err)
	}
	if _, err := store.Control().Authenticate(ctx, key.Secret); memory.CodeOf(err) != memory.Unauthenticated {
		t.Errorf("the key of a tenant that is being deleted: %v", err)
	}
	d = New(store, kit(), nil)
	done, err := d.FinishDeletes(ctx)
	if diff := cmp.Diff([]string{"doomed"}, done); diff != "" || err != nil {
		t.Error(diff, err)
	}
	stored, err := store.Tenants()
	if diff := cmp.Diff([]memory.TenantID{other.ID}, stored); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := store.Control().Authenticate(ctx, otherKey.Secret); err != nil {
		t.Error(err)
	}
}

func putMeta(t *testing.T, store *storage.Store, id memory.TenantID) {
	t.Helper()
	b := store.Partition(id).NewBatch()
	defer b.Close()
	b.PutMeta("test", []byte("value"))
	must(t, store.Commit(b))
}

// TestCheckFindsStrangers: data that belongs to no registered tenant.
func TestCheckFindsStrangers(t *testing.T) {
	store := openStore(t, t.TempDir())
	stranger := memory.NewTenantID()
	putMeta(t, store, stranger)
	var found Findings
	must(t, New(store, kit(), nil).Do(context.Background(), OpCheck, Named{}, &found))
	if found.Clean() || !strings.Contains(found.Problems[0], stranger.String()) {
		t.Errorf("got %+v", found)
	}
}

func TestSocket(t *testing.T) {
	data := t.TempDir()
	store := openStore(t, data)
	t.Run("stale file is replaced and the new one is private", func(t *testing.T) {
		must(t, os.WriteFile(SocketPath(data), []byte("stale"), 0o644))
		server, err := Listen(data, New(store, kit(), nil))
		must(t, err)
		info, err := os.Stat(SocketPath(data))
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
		must(t, server.Close(context.Background()))
		if _, err := os.Stat(SocketPath(data)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket file stays: %v", err)
		}
	})
	t.Run("long path", func(t *testing.T) {
		_, err := Listen(filepath.Join(data, strings.Repeat("x", 100)), New(store, kit(), nil))
		if !errors.Is(err, ErrLongPath) {
			t.Errorf("got %v", err)
		}
	})
}

func TestReach(t *testing.T) {
	ctx, data := context.Background(), t.TempDir()
	if _, err := Reach(ctx, data, kit()); err == nil || !strings.Contains(err.Error(), "there is no store") {
		t.Errorf("an empty folder: %v", err)
	}
	must(t, openStoreOnce(data))
	office, err := Reach(ctx, data, kit())
	must(t, err)
	// While one holds the store and has no socket, another is told so.
	if _, err := Reach(ctx, data, kit()); err == nil || !strings.Contains(err.Error(), "is in use") {
		t.Errorf("a held store: %v", err)
	}
	must(t, office.Do(ctx, OpTenantCreate, Named{"one"}, &Tenant{}))
	must(t, office.Close())
}

func openStoreOnce(data string) error {
	store, err := storage.Open(StoreDir(data), storage.Options{})
	if err != nil {
		return err
	}
	return store.Close()
}
