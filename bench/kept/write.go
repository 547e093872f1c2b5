package kept

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Write keeps a report in dir, as Markdown for people and as JSON for programs.
// A second report of the same name and day takes the first one's place.
func Write(dir, name string, day time.Time, page string, report any) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	base := filepath.Join(dir, name+"-"+day.Format(time.DateOnly))
	if err := os.WriteFile(base+".json", append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if err := os.WriteFile(base+".md", []byte(page), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
