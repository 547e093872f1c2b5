package main

import (
	"fmt"
	"io"

	"loci/cmd/loci/config"
	"loci/cmd/loci/node"
)

// banner tells the person at the terminal what to do next. It goes to the
// standard output and never into the log: it may hold the first key.
func banner(w io.Writer, program string, hello node.Welcome) {
	fmt.Fprintf(w, "\nLoci %s is listening on %s\n\n", version, hello.URL)
	fmt.Fprintf(w, "  documentation  %s/api\n", hello.URL)
	fmt.Fprintf(w, "  store          %s\n\n", hello.Data)
	switch {
	case hello.Key != "":
		firstKey(w, hello)
	case hello.Installed:
		fmt.Fprintf(w, "  The key from LOCI_BOOTSTRAP_KEY works for tenant %q.\n\n", hello.Tenant)
	default:
		fmt.Fprintf(w, "  A new API key: %s key create%s\n\n", program, dataFlag(hello.Data))
	}
}

func firstKey(w io.Writer, hello node.Welcome) {
	fmt.Fprintf(w, "  API key of tenant %q, shown only this once:\n\n    %s\n\n  Try it:\n\n", hello.Tenant, hello.Key)
	for _, try := range [][2]string{
		{"learn", `{"content": "Ada prefers green tea in the morning"}`},
		{"search", `{"query": "What does Ada drink?"}`},
	} {
		fmt.Fprintf(w, "    curl %s/api/%s -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '%s'\n\n",
			hello.URL, try[0], hello.Key, try[1])
	}
}

// dataFlag is needed in a hint only if the folder is not the default.
func dataFlag(data string) string {
	if std, _ := config.Default("data"); data == std {
		return ""
	}
	return " --data " + data
}
