package storage

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loci/engine/memory"
)

func TestTenantsAndKeysSurvive(t *testing.T) {
	disk := vfs.NewCrashableMem()
	s := open(t, "store", small(disk))
	c := s.Control()
	alpha, err := c.CreateTenant("alpha")
	must(t, err)
	_, err = c.CreateTenant("beta")
	must(t, err)
	key, secret, err := c.CreateKey(alpha.ID, KeySpec{
		Name: "laptop", Scopes: []memory.Scope{memory.ScopeRead}, Project: "p", ExpiresAt: noon.Add(time.Hour),
	})
	must(t, err)
	if len(secret) != 48 || !strings.HasPrefix(secret, key.Prefix) || !strings.HasSuffix(secret, key.LastFour) {
		t.Errorf("secret %q of key %+v", secret, key)
	}
	again := open(t, "store", small(disk.CrashClone(vfs.CrashCloneCfg{}))).Control()
	if diff := cmp.Diff(c.Tenants(), again.Tenants()); diff != "" {
		t.Errorf("tenants after a crash (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff([]Key{key}, again.Keys(alpha.ID)); diff != "" {
		t.Errorf("keys after a crash (-before +after):\n%s", diff)
	}
	who, err := again.Authenticate(context.Background(), secret)
	must(t, err)
	want := memory.Caller{Tenant: alpha.ID, KeyID: key.ID, Scopes: []memory.Scope{memory.ScopeRead}, Project: "p"}
	if diff := cmp.Diff(want, who); diff != "" {
		t.Errorf("caller (-want +got):\n%s", diff)
	}
}

// TestAuthenticateRefuses wants one and the same answer for all that is wrong.
func TestAuthenticateRefuses(t *testing.T) {
	now := noon
	o := small(vfs.NewMem())
	o.Now = func() time.Time { return now }
	c := open(t, "store", o).Control()
	alpha, err := c.CreateTenant("alpha")
	must(t, err)
	beta, err := c.CreateTenant("beta")
	must(t, err)
	_, live, err := c.CreateKey(alpha.ID, KeySpec{})
	must(t, err)
	_, expired, err := c.CreateKey(alpha.ID, KeySpec{ExpiresAt: noon.Add(time.Minute)})
	must(t, err)
	gone, revoked, err := c.CreateKey(alpha.ID, KeySpec{})
	must(t, err)
	_, err = c.RevokeKey(gone.ID)
	must(t, err)
	_, deleting, err := c.CreateKey(beta.ID, KeySpec{})
	must(t, err)
	must(t, c.BeginDelete(beta.ID))
	now = noon.Add(time.Minute)
	_, err = c.Authenticate(context.Background(), live)
	must(t, err)
	texts := map[string]bool{}
	for _, wrong := range []string{
		"", "loci_", "x", live[:47], live + "x", "Loci_" + live[5:], live[:20] + " " + live[21:], strings.Repeat("a", 1<<20),
		"loci_" + strings.Repeat("A", 43), expired, revoked, deleting, "\xff\x00", "loci_" + strings.Repeat("\x00", 43),
	} {
		_, err := c.Authenticate(context.Background(), wrong)
		if memory.CodeOf(err) != memory.Unauthenticated {
			t.Errorf("credential %.60q gave %v", wrong, err)
			continue
		}
		texts[err.Error()] = true
	}
	if len(texts) != 1 {
		t.Errorf("refusals differ: %v", texts)
	}
}

func TestAuthenticateNeverPanics(t *testing.T) {
	c := openMem(t).Control()
	rapid.Check(t, func(t *rapid.T) {
		credential := rapid.OneOf(rapid.String(), rapid.Map(rapid.String(), func(s string) string { return "loci_" + s })).Draw(t, "credential")
		if _, err := c.Authenticate(context.Background(), credential); memory.CodeOf(err) != memory.Unauthenticated {
			t.Fatalf("%q gave %v", credential, err)
		}
	})
}

func TestControlRefuses(t *testing.T) {
	c := openMem(t).Control()
	alpha, err := c.CreateTenant("alpha")
	must(t, err)
	beta, err := c.CreateTenant("beta")
	must(t, err)
	first, err := c.InstallKey(alpha.ID, secretOne, KeySpec{Name: "one"})
	must(t, err)
	nobody := memory.NewTenantID()
	install := func(t memory.TenantID, secret string, spec KeySpec) error {
		_, err := c.InstallKey(t, secret, spec)
		return err
	}
	create := func(name string) error { _, err := c.CreateTenant(name); return err }
	_, unknownKey := c.RevokeKey(memory.NewID())
	for _, test := range []struct {
		name string
		err  error
		want memory.Code
	}{
		{"same name", create("alpha"), memory.Conflict},
		{"blank name", create("  "), memory.Invalid},
		{"control characters", create("a\x00b"), memory.Invalid},
		{"long name", create(strings.Repeat("a", 201)), memory.Invalid},
		{"another's key", install(beta.ID, secretOne, KeySpec{}), memory.Conflict},
		{"unknown tenant", install(nobody, secretTwo, KeySpec{}), memory.NotFound},
		{"short secret", install(alpha.ID, "loci_short", KeySpec{}), memory.Invalid},
		{"secret without loci_", install(alpha.ID, strings.Repeat("a", 48), KeySpec{}), memory.Invalid},
		{"unknown scope", install(alpha.ID, secretTwo, KeySpec{Scopes: []memory.Scope{"root"}}), memory.Invalid},
		{"past expiry", install(alpha.ID, secretTwo, KeySpec{ExpiresAt: noon}), memory.Invalid},
		{"unknown key", unknownKey, memory.NotFound},
		{"delete nobody", c.BeginDelete(nobody), memory.NotFound},
		{"finish before begin", c.FinishDelete(beta.ID), memory.Conflict},
	} {
		if got := memory.CodeOf(test.err); got != test.want {
			t.Errorf("%s gave %v, want %s", test.name, test.err, test.want)
		}
	}
	same, err := c.InstallKey(alpha.ID, secretOne, KeySpec{Name: "other"})
	must(t, err)
	if diff := cmp.Diff(first, same); diff != "" {
		t.Errorf("installing again (-first +second):\n%s", diff)
	}
}

// TestDeleteTenant leaves nothing of one tenant and all of the other.
func TestDeleteTenant(t *testing.T) {
	s := openMem(t)
	c := s.Control()
	alpha, err := c.CreateTenant("alpha")
	must(t, err)
	beta, err := c.CreateTenant("beta")
	must(t, err)
	must(t, installKey("alpha", secretOne, "one")(s))
	must(t, installKey("beta", secretTwo, "two")(s))
	must(t, learn(alpha.ID, 1)(s))
	must(t, learn(beta.ID, 1)(s))
	must(t, c.BeginDelete(alpha.ID))
	must(t, s.Erase(context.Background(), alpha.ID))
	must(t, c.FinishDelete(alpha.ID))
	if _, err := c.Authenticate(context.Background(), secretOne); err == nil {
		t.Error("a key of a deleted tenant opens")
	}
	if _, err := c.Authenticate(context.Background(), secretTwo); err != nil {
		t.Error(err)
	}
	list, err := s.Tenants()
	must(t, err)
	if diff := cmp.Diff([]memory.TenantID{beta.ID}, list); diff != "" {
		t.Errorf("tenants left (-want +got):\n%s", diff)
	}
	count, err := s.Verify(context.Background())
	must(t, err)
	want := NodeCount{Tenants: 1, Control: 2, Count: Count{Records: 2, Vectors: 1, Answers: 1, Metas: 1, Bytes: count.Bytes}}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("left in the store (-want +got):\n%s", diff)
	}
	if _, err := c.CreateTenant("alpha"); err != nil {
		t.Errorf("the name is not free again: %v", err)
	}
}

// TestControlChangesAfterDisk breaks the store: what could not be written is
// not in memory either.
func TestControlChangesAfterDisk(t *testing.T) {
	s := openMem(t)
	must(t, createTenant("alpha")(s))
	must(t, installKey("alpha", secretOne, "one")(s))
	before, err := dump(s)
	must(t, err)
	s.health.breakFor(errors.New("test"))
	for _, run := range []func(*Store) error{
		createTenant("beta"), installKey("alpha", secretTwo, "two"), revoke("alpha", "one"),
		func(s *Store) error { return s.Control().BeginDelete(named(s, "alpha")) },
	} {
		if err := run(s); !errors.Is(err, ErrBroken) {
			t.Errorf("a broken store gave %v", err)
		}
	}
	after, err := dump(s)
	must(t, err)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the control partition changed:\n%s", diff)
	}
	if _, err := s.Control().Authenticate(context.Background(), secretOne); err != nil {
		t.Errorf("a broken store does not authenticate: %v", err)
	}
}

func BenchmarkAuthenticate(b *testing.B) {
	s := openMem(b)
	must(b, createTenant("alpha")(s))
	must(b, installKey("alpha", secretOne, "one")(s))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Control().Authenticate(context.Background(), secretOne); err != nil {
			b.Fatal(err)
		}
	}
}
