package embedding

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// process is how a side is started.
type process struct {
	name    string // loci, onnxruntime int8, onnxruntime f32
	threads int
	command []string
	env     []string
	dir     string
}

// side is a process that answers requests.
type side struct {
	process
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *json.Decoder
	errors  bytes.Buffer
}

func (p process) start(ctx context.Context) (*side, error) {
	s := &side{process: p, cmd: exec.CommandContext(ctx, p.command[0], p.command[1:]...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = p.dir, append(os.Environ(), p.env...), &s.errors
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	s.in, s.answers = in, json.NewDecoder(out)
	return s, nil
}

func (s *side) ask(r request) (answer, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return answer{}, fmt.Errorf("ask %s: %w", s.name, err)
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return answer{}, s.failed(err)
	}
	var a answer
	if err := s.answers.Decode(&a); err != nil {
		return answer{}, s.failed(err)
	}
	if a.Error != "" {
		return answer{}, s.failed(errors.New(a.Error))
	}
	return a, nil
}

// failed ends the process, so that what it said on its way is complete.
func (s *side) failed(err error) error {
	s.stop()
	said := strings.Join(strings.Fields(s.errors.String()), " ")
	return fmt.Errorf("ask %s: %w %s", s.name, err, said[:min(len(said), 300)])
}

// stop lets the process end by itself and kills it if it does not. How it
// ended does not matter any more.
func (s *side) stop() {
	_ = s.in.Close()
	patience := time.AfterFunc(5*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer patience.Stop()
	_ = s.cmd.Wait()
}
