package main

import (
	"encoding/json"
	"fmt"
	"testing"
)

// paraphrases are memories and questions that share no word that carries
// meaning: only a model that knows meaning can bring them together.
var paraphrases = [][2]string{
	{"The automobile would not start because its battery was dead.", "Why was the car broken?"},
	{"Maria adores felines and keeps three of them.", "Who likes cats?"},
	{"Our physician recommended sleeping more.", "What did the doctor advise?"},
	{"The children were frightened by the thunderstorm.", "Which kids got scared of bad weather?"},
	{"He purchased a residence near the sea.", "Where did somebody buy a house?"},
	{"The flight departs at dawn.", "When does the plane leave in early morning?"},
	{"She is employed by a bank as a programmer.", "What is her job in software?"},
	{"We consumed pasta for supper.", "What did they eat at dinner?"},
	{"The firm dismissed forty workers in spring.", "How many people were laid off at that company?"},
	{"Tom suffers from pollen allergies.", "Does anyone have hay fever?"},
	{"The meeting was postponed until Friday.", "Which appointment got delayed?"},
	{"Grandma repaired the broken clock.", "What was fixed by an old lady?"},
	{"The soccer team won the championship.", "Who became football champions?"},
	{"His infant cried all night.", "Whose baby kept weeping?"},
	{"The novel received excellent reviews.", "Was a book praised by critics?"},
	{"They travelled across Spain by train.", "Which railway journey took place on vacation?"},
}

var distractors = []string{
	"The printer is out of paper.", "Quarterly taxes are due in April.", "The garden needs water twice a week.",
	"A new coffee machine stands in the kitchen.", "The password policy requires twelve characters.", "Python scripts run every midnight.",
	"The museum closes on Mondays.", "Blue is the colour of the new logo.", "The elevator is inspected every year.",
	"Chess club meets on Tuesdays.", "Rent went up by five percent.", "The bridge is closed for repairs.", "He plays the violin.",
	"Winter tyres are stored in the basement.", "The recipe needs two eggs.", "Invoices are archived for ten years.",
}

// TestMeaningWithoutSharedWords: at least 15 of 16 questions find their memory
// at rank 1, over HTTP, with nothing configured.
func TestMeaningWithoutSharedWords(t *testing.T) {
	h := startHouse(t)
	for _, content := range distractors {
		h.mustAsk(h.key, "POST", "/api/learn", fmt.Sprintf(`{"content":%q}`, content))
	}
	for _, pair := range paraphrases {
		h.mustAsk(h.key, "POST", "/api/learn", fmt.Sprintf(`{"content":%q}`, pair[0]))
	}
	found := 0
	for _, pair := range paraphrases {
		var got struct{ Results []struct{ Content string } }
		a := h.ask(h.key, "POST", "/api/search", fmt.Sprintf(`{"query":%q,"limit":3}`, pair[1]))
		if err := json.Unmarshal([]byte(a.body), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Results) > 0 && got.Results[0].Content == pair[0] {
			found++
		} else {
			t.Logf("%q finds %+v", pair[1], got.Results)
		}
	}
	if found < 15 {
		t.Errorf("%d of %d at rank 1, want 15", found, len(paraphrases))
	}
}
