package engine

import (
	"encoding/json"
	"slices"

	"loci/engine/analysis"
)

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// distinct drops repetitions and keeps the order.
func distinct(list []string) []string {
	var kept []string
	for _, s := range list {
		if s != "" && !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

func foldedWords(text string) []string {
	words := analysis.Words(text, nil)
	folded := make([]string, len(words))
	for i, w := range words {
		folded[i] = w.Folded
	}
	return folded
}

// mergeObjects lays the members of added over those of base. Both are valid
// objects or empty; equal content gives base itself.
func mergeObjects(base, added json.RawMessage) json.RawMessage {
	if len(added) == 0 {
		return base
	}
	if len(base) == 0 {
		return added
	}
	var merged, extra map[string]json.RawMessage
	if json.Unmarshal(base, &merged) != nil || json.Unmarshal(added, &extra) != nil {
		return base
	}
	changed := false
	for key, value := range extra {
		if string(merged[key]) != string(value) {
			merged[key], changed = value, true
		}
	}
	if !changed {
		return base
	}
	raw, err := json.Marshal(merged)
	if err != nil {
		return base
	}
	return raw
}
