package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"loci/bench/embedding"
)

const missing = "onnxruntime could not be set up, so only our side was measured (it needs npm, Node.js, python3 with venv, and the npm and PyPI registries)."

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	work := flag.Bool("work", false, "be our side of the comparison")
	out := flag.String("out", "bench/results", "folder for the report")
	setup := flag.String("setup", "bench/embedding/ort/setup.sh", "script that makes the other side; empty for none")
	ort := flag.String("ort", "bin/bench-embed", "folder the script fills")
	short := flag.Bool("short", false, "one quick round")
	rounds := flag.Int("rounds", 0, "rounds (default 5)")
	duration := flag.Duration("duration", 0, "time of one measurement (default 600ms)")
	flag.Parse()
	if *work {
		return embedding.Work(os.Stdin, os.Stdout)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	o := embedding.Options{Self: []string{self, "-work"}, Short: *short, Rounds: *rounds, Duration: *duration, Log: os.Stderr}
	if *setup != "" {
		o.ORT, o.Missing = prepare(ctx, *setup, *ort)
	}
	report, err := embedding.Run(ctx, o)
	if err != nil {
		return err
	}
	fmt.Print(report.Markdown())
	return report.WriteFiles(*out)
}

// prepare gives the folder of the other side, or the reason there is none.
func prepare(ctx context.Context, setup, folder string) (ort, reason string) {
	script := exec.CommandContext(ctx, "sh", setup, folder)
	script.Stdout, script.Stderr = os.Stderr, os.Stderr
	if err := script.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "set up onnxruntime:", err)
		return "", missing
	}
	return folder, ""
}
