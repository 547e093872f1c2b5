package engine

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"loci/engine/memory"
)

// A record on disk is a list of fields: tag (1 byte), length (uvarint), bytes.
// A field that is zero is not written. A reader skips tags that it does not
// know, so a later version may add some. Tags are never used for another
// meaning. The id and the version stand in the key.
const (
	tagType = iota + 1
	tagContent
	tagTitle
	tagCategory
	tagTag // repeated
	tagProject
	tagAgentID
	tagSessionID
	tagSource
	tagMemoryType
	tagConfidence
	tagMetadata
	tagOccurredAt
	tagValidFrom
	tagValidTo
	tagCreatedAt
	tagUpdatedAt
	tagSupersedes
	tagSupersededBy
	tagLink // repeated: the entity's id; its name is looked up when read
	tagReasoning
	tagAlternative // repeated
	tagStatus
	tagEntityType
	tagAlias // repeated
	tagEntityID
	tagFrom
	tagTo
	tagRelationType
	tagWeight
)

var errCorrupt = errors.New("record is corrupt")

func encodeRecord(dst []byte, m *memory.Memory) []byte {
	e := encoder{dst}
	e.text(tagType, string(m.Type))
	e.text(tagContent, m.Content)
	e.text(tagTitle, m.Title)
	e.text(tagCategory, m.Category)
	e.texts(tagTag, m.Tags)
	e.text(tagProject, m.Project)
	e.text(tagAgentID, m.AgentID)
	e.text(tagSessionID, m.SessionID)
	e.text(tagSource, m.Source)
	e.text(tagMemoryType, m.MemoryType)
	if m.Confidence != nil {
		e.float(tagConfidence, *m.Confidence)
	}
	e.text(tagMetadata, string(m.Metadata))
	e.times(m)
	e.id(tagSupersedes, m.Supersedes)
	e.id(tagSupersededBy, m.SupersededBy)
	for _, l := range m.Entities {
		e.id(tagLink, l.EntityID)
	}
	e.special(m)
	return e.to
}

type encoder struct{ to []byte }

func (e *encoder) times(m *memory.Memory) {
	e.time(tagOccurredAt, micros(m.OccurredAt))
	e.time(tagValidFrom, micros(m.ValidFrom))
	e.time(tagValidTo, micros(m.ValidTo))
	e.time(tagCreatedAt, micros(m.CreatedAt))
	e.time(tagUpdatedAt, micros(m.UpdatedAt))
}

// special writes what only decisions, entities, observations and relations have.
func (e *encoder) special(m *memory.Memory) {
	if m.Type == memory.Fact || m.Type == memory.Message {
		return
	}
	e.text(tagReasoning, m.Reasoning)
	e.texts(tagAlternative, m.Alternatives)
	e.text(tagStatus, m.Status)
	e.text(tagEntityType, m.EntityType)
	e.texts(tagAlias, m.Aliases)
	e.id(tagEntityID, m.EntityID)
	e.id(tagFrom, m.From)
	e.id(tagTo, m.To)
	e.text(tagRelationType, m.RelationType)
	if m.Weight != 0 {
		e.float(tagWeight, m.Weight)
	}
}

func (e *encoder) text(tag byte, s string) {
	if s != "" {
		e.to = binary.AppendUvarint(append(e.to, tag), uint64(len(s)))
		e.to = append(e.to, s...)
	}
}

func (e *encoder) texts(tag byte, list []string) {
	for _, s := range list {
		e.text(tag, s)
	}
}

func (e *encoder) id(tag byte, id memory.ID) {
	if !id.IsZero() {
		e.to = append(append(e.to, tag, byte(len(id))), id[:]...)
	}
}

func (e *encoder) time(tag byte, m int64) {
	if m != none {
		e.to = binary.LittleEndian.AppendUint64(append(e.to, tag, 8), uint64(m))
	}
}

func (e *encoder) float(tag byte, f float64) {
	e.to = binary.LittleEndian.AppendUint64(append(e.to, tag, 8), math.Float64bits(f))
}

// decodeRecord reads a record; it keeps nothing of body.
func decodeRecord(id memory.ID, version uint32, body []byte) (*memory.Memory, error) {
	m := &memory.Memory{ID: id, Version: version}
	text := string(body) // one copy; the fields are parts of it
	for len(text) > 0 {
		tag := text[0]
		n, width := uvarint(text[1:])
		if width <= 0 || uint64(len(text)-1-width) < n {
			return nil, fmt.Errorf("decode %s version %d: %w", id, version, errCorrupt)
		}
		value := text[1+width : 1+width+int(n)]
		if !setField(m, tag, value) {
			return nil, fmt.Errorf("decode %s version %d, field %d: %w", id, version, tag, errCorrupt)
		}
		text = text[1+width+int(n):]
	}
	if m.Type == "" || m.CreatedAt.IsZero() || m.UpdatedAt.IsZero() {
		return nil, fmt.Errorf("decode %s version %d: %w", id, version, errCorrupt)
	}
	return m, nil
}

func uvarint(s string) (uint64, int) {
	var buf [binary.MaxVarintLen64]byte
	return binary.Uvarint(buf[:copy(buf[:], s)])
}

// setField takes one field; false means that its bytes cannot be right.
func setField(m *memory.Memory, tag byte, v string) bool {
	if to := textField(m, tag); to != nil {
		*to = v
		return true
	}
	if to := listField(m, tag); to != nil {
		*to = append(*to, v)
		return true
	}
	if to := idField(m, tag); to != nil {
		return copy(to[:], v) == len(to) && len(v) == len(to)
	}
	switch tag {
	case tagType:
		m.Type = memory.Type(v)
	case tagMetadata:
		m.Metadata = json.RawMessage(v)
	case tagLink:
		m.Entities = append(m.Entities, memory.Link{})
		return copy(m.Entities[len(m.Entities)-1].EntityID[:], v) == 16
	case tagOccurredAt, tagValidFrom, tagValidTo, tagCreatedAt, tagUpdatedAt, tagConfidence, tagWeight:
		return len(v) == 8 && setNumber(m, tag, binary.LittleEndian.Uint64([]byte(v)))
	}
	return true
}

func textField(m *memory.Memory, tag byte) *string {
	switch tag {
	case tagContent:
		return &m.Content
	case tagTitle:
		return &m.Title
	case tagCategory:
		return &m.Category
	case tagProject:
		return &m.Project
	case tagAgentID:
		return &m.AgentID
	case tagSessionID:
		return &m.SessionID
	case tagSource:
		return &m.Source
	case tagMemoryType:
		return &m.MemoryType
	case tagReasoning:
		return &m.Reasoning
	case tagStatus:
		return &m.Status
	case tagEntityType:
		return &m.EntityType
	case tagRelationType:
		return &m.RelationType
	}
	return nil
}

func listField(m *memory.Memory, tag byte) *[]string {
	switch tag {
	case tagTag:
		return &m.Tags
	case tagAlternative:
		return (*[]string)(&m.Alternatives)
	case tagAlias:
		return &m.Aliases
	}
	return nil
}

func idField(m *memory.Memory, tag byte) *memory.ID {
	switch tag {
	case tagSupersedes:
		return &m.Supersedes
	case tagSupersededBy:
		return &m.SupersededBy
	case tagEntityID:
		return &m.EntityID
	case tagFrom:
		return &m.From
	case tagTo:
		return &m.To
	}
	return nil
}

func setNumber(m *memory.Memory, tag byte, bits uint64) bool {
	switch tag {
	case tagOccurredAt:
		m.OccurredAt = fromMicros(int64(bits))
	case tagValidFrom:
		m.ValidFrom = fromMicros(int64(bits))
	case tagValidTo:
		m.ValidTo = fromMicros(int64(bits))
	case tagCreatedAt:
		m.CreatedAt = fromMicros(int64(bits))
	case tagUpdatedAt:
		m.UpdatedAt = fromMicros(int64(bits))
	case tagConfidence:
		f := math.Float64frombits(bits)
		m.Confidence = &f
	case tagWeight:
		m.Weight = math.Float64frombits(bits)
	}
	return true
}
