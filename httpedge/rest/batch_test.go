package rest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

// TestBatchRefusesItemsAlone: each item has its own outcome, in order, and
// only good ones reach the service.
func TestBatchRefusesItemsAlone(t *testing.T) {
	h := open(t)
	for _, c := range []struct {
		name, items string
		want        []string // field that is named, "" for a good item
	}{
		{"all good", `{"content":"a"},{"content":"b"}`, []string{"", ""}},
		{"one blank", `{"content":"a"},{"content":" "},{"content":"c"}`, []string{"", "items[1].content", ""}},
		{"one of a wrong type", `{"content":1},{"content":"b"}`, []string{"items[0].content", ""}},
		{"one unknown field", `{"content":"a","x":1},{"content":"b"}`, []string{"items[0].x", ""}},
		{"one not an object", `"a",{"content":"b"},null,[1]`, []string{"items[0]", "", "items[2]", "items[3]"}},
		{"one reversed", `{"content":"a","validFrom":"2026-02-01","validTo":"2026-01-01"},{"content":"b"}`, []string{"items[0].validTo", ""}},
		{"none good", `{},{}`, []string{"items[0].content", "items[1].content"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := h.callCount()
			r := h.call("loci_a", "POST", "/api/learn/batch", `{"items":[`+c.items+`]}`)
			var got memory.BatchResult
			if err := json.Unmarshal(r.body, &got); err != nil || r.status != 200 {
				t.Fatalf("%d %s", r.status, r.body)
			}
			if diff := cmp.Diff(c.want, fieldsOf(got)); diff != "" {
				t.Errorf("%s\n%s", diff, r.body)
			}
			if reached := h.callCount() > before; reached != slices.Contains(c.want, "") {
				t.Errorf("the service was called: %v", reached)
			}
		})
	}
}

// fieldsOf is the field each item was refused for, "" where it was stored.
func fieldsOf(b memory.BatchResult) (fields []string) {
	for _, item := range b.Results {
		switch {
		case item.Error == nil && item.LearnResult != nil && !item.ID.IsZero():
			fields = append(fields, "")
		case item.Error != nil && len(item.Error.Errors) > 0:
			fields = append(fields, item.Error.Errors[0].Field)
		default:
			fields = append(fields, "neither stored nor refused")
		}
	}
	return fields
}

func TestLargestBatch(t *testing.T) {
	h := open(t)
	r := h.call("loci_a", "POST", "/api/learn/batch", `{"items":[`+strings.Repeat(`{"content":"x"},`, 999)+`{"content":"x"}]}`)
	var got memory.BatchResult
	if err := json.Unmarshal(r.body, &got); err != nil || len(got.Results) != 1000 {
		t.Fatalf("%d, %d results, %v", r.status, len(got.Results), err)
	}
}
