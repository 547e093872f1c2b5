package node

import (
	"context"
	"fmt"

	"loci/storage"
)

// Welcome is what a server says when it has started.
type Welcome struct {
	URL    string // where clients reach it
	Data   string
	Tenant string // the first tenant
	// Key is the first key, in the clear, at the very first start only (I2).
	Key string
	// Installed says that the configuration brought the key.
	Installed bool
}

// Welcome is for the person who started the server.
func (n *Node) Welcome() Welcome { return n.welcome }

// bootstrap sees to it that somebody can use the server: a given key is
// installed; an empty store gets a tenant and a key.
func (n *Node) bootstrap(context.Context) error {
	n.welcome = Welcome{URL: n.URL(), Data: n.Settings.Data, Tenant: n.Settings.FirstTenant}
	switch {
	case n.Settings.BootstrapKey != "":
		return n.installKey(string(n.Settings.BootstrapKey))
	case len(n.store.Control().Tenants()) == 0:
		return n.firstKey()
	}
	return nil
}

func (n *Node) installKey(secret string) error {
	t, err := n.firstTenant()
	if err != nil {
		return err
	}
	if _, err := n.store.Control().InstallKey(t.ID, secret, storage.KeySpec{Name: "bootstrap"}); err != nil {
		return fmt.Errorf("install LOCI_BOOTSTRAP_KEY for tenant %s: %w", t.Name, err)
	}
	n.welcome.Installed = true
	return nil
}

func (n *Node) firstKey() error {
	t, err := n.firstTenant()
	if err != nil {
		return err
	}
	_, secret, err := n.store.Control().CreateKey(t.ID, storage.KeySpec{Name: "first"})
	if err != nil {
		return fmt.Errorf("create the first key: %w", err)
	}
	n.welcome.Key = secret
	return nil
}

func (n *Node) firstTenant() (storage.Tenant, error) {
	if t, ok := n.store.Control().TenantByName(n.Settings.FirstTenant); ok {
		return t, nil
	}
	t, err := n.store.Control().CreateTenant(n.Settings.FirstTenant)
	if err != nil {
		return t, fmt.Errorf("create the first tenant: %w", err)
	}
	return t, nil
}
