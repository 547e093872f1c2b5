package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"loci/engine"
	"loci/storage"
)

// Reach finds the desk of the data folder: the running server's if one
// answers, else a desk on the store itself, which is locked until Close.
func Reach(ctx context.Context, data string, kit engine.Kit) (Office, error) {
	client, dialErr := dial(ctx, SocketPath(data))
	if dialErr == nil {
		return client, nil
	}
	if _, err := os.Stat(StoreDir(data)); err != nil {
		return nil, fmt.Errorf("there is no store in %s: loci serve makes one, --data names another folder", data)
	}
	store, err := storage.Open(StoreDir(data), storage.Options{})
	if Locked(err) {
		return nil, fmt.Errorf("the store in %s is in use, but its server does not answer on the admin socket (%w); it may be starting or stopping: try again, or stop it", data, dialErr)
	}
	if err != nil {
		return nil, err
	}
	return &Desk{store: store, kit: kit, owned: true}, nil
}

// Locked recognises a store that another process holds, or this one.
func Locked(err error) bool {
	return err != nil && (errors.Is(err, syscall.EAGAIN) ||
		strings.Contains(err.Error(), "lock held by current process"))
}
