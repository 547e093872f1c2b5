package wire_test

import (
	"encoding/json"
	"testing"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

const learnBody = `{"content":"Ada prefers tea to coffee, and takes it without sugar in the afternoon.","category":"preference","tags":["drinks","habits"],"project":"kitchen","agentId":"agent-7","confidence":0.9,"metadata":{"rank":3}}`

func BenchmarkDecodeLearn(b *testing.B) {
	body := []byte(learnBody)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var r memory.LearnRequest
		if err := wire.Decode(body, &r); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeLearnStandard is the yardstick: encoding/json, which checks
// far less.
func BenchmarkDecodeLearnStandard(b *testing.B) {
	body := []byte(learnBody)
	b.ReportAllocs()
	for b.Loop() {
		var r memory.LearnRequest
		if err := json.Unmarshal(body, &r); err != nil {
			b.Fatal(err)
		}
	}
}

func benchResult() *memory.LearnResult {
	return &memory.LearnResult{Action: memory.Added, ID: memory.NewID(), Message: "added", Links: []memory.Link{{EntityID: memory.NewID(), Name: "Ada"}}, Similar: []memory.Similar{{ID: memory.NewID(), Score: 0.83}}}
}

func BenchmarkAppendLearnResult(b *testing.B) {
	result, buffer := benchResult(), []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		buffer, _ = wire.Append(buffer[:0], result)
	}
}

func BenchmarkAppendLearnResultStandard(b *testing.B) {
	result := benchResult()
	b.ReportAllocs()
	for b.Loop() {
		_, _ = json.Marshal(result)
	}
}

// TestDecodeAllocations holds a learn to one allocation for each thing it
// keeps: five texts of fields, two tags and their list (which grows once),
// the number, the metadata.
func TestDecodeAllocations(t *testing.T) {
	body := []byte(learnBody)
	got := testing.AllocsPerRun(200, func() {
		var r memory.LearnRequest
		if err := wire.Decode(body, &r); err != nil {
			t.Fatal(err)
		}
	})
	if got > 14 {
		t.Errorf("%v allocations, budget 14", got)
	}
	result, buffer := benchResult(), make([]byte, 0, 4096)
	if got := testing.AllocsPerRun(200, func() { buffer, _ = wire.Append(buffer[:0], result) }); got > 1 {
		t.Errorf("encoding: %v allocations, budget 1", got)
	}
}
