package main

import (
	"encoding/json"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"loci/cmd/loci/desk"
)

// TestScripts runs the program as a process of its own, as a shell would.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: setupScript,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"ready": readyCommand, "keep": keepCommand, "keyid": keyIDCommand, "call": callCommand,
		},
	})
}

// quickExit takes away the second that the race detector waits at the end of
// a process.
const quickExit = "atexit_sleep_ms=0"

func setupScript(e *testscript.Env) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	addr := l.Addr().String()
	e.Setenv("ADDR", addr)
	e.Setenv("URL", "http://"+addr)
	e.Setenv("BOOT", bootstrapKey)
	e.Setenv("GORACE", quickExit)
	return l.Close()
}

// ready [DATA] waits until the server of the data folder answers its socket,
// which it opens last.
func readyCommand(ts *testscript.TestScript, neg bool, args []string) {
	data := "data"
	if len(args) > 0 {
		data = args[0]
	}
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		if conn, err := net.Dial("unix", desk.SocketPath(ts.MkAbs(data))); err == nil {
			ts.Check(conn.Close())
			return
		}
		time.Sleep(10 * time.Millisecond) // another process: there is no channel to wait on
	}
	ts.Fatalf("the server of %s does not answer", data)
}

// keep NAME puts the last standard output into a variable.
func keepCommand(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// keyid NAME VARIABLE finds a key's id by its name in the last standard
// output, which must be that of loci key list --json.
func keyIDCommand(ts *testscript.TestScript, neg bool, args []string) {
	var keys []desk.Key
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &keys))
	for _, k := range keys {
		if k.Name == args[0] {
			ts.Setenv(args[1], k.ID.String())
			return
		}
	}
	ts.Fatalf("there is no key %q", args[0])
}

// call STATUS KEY METHOD PATH [BODY] sends a request and holds the status and
// nothing else against what is wanted.
func callCommand(ts *testscript.TestScript, neg bool, args []string) {
	body := ""
	if len(args) > 4 {
		body = args[4]
	}
	a, err := ask(ts.Getenv("URL"), args[1], args[2], args[3], body)
	ts.Check(err)
	if want := args[0]; want != strconv.Itoa(a.status) {
		ts.Fatalf("%s %s: %d %s, want %s", args[2], args[3], a.status, a.body, want)
	}
	ts.Logf("%d %s", a.status, a.body)
}
