package main

import (
	"fmt"
	"runtime"

	"loci/storage"
)

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(c *call) error {
	_, err := fmt.Fprintf(c.Stdout, "loci %s (store format %d, %s, %s/%s)\n",
		version, storage.FormatVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
