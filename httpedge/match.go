package httpedge

import (
	"strconv"
	"strings"

	"loci/engine/memory"
)

// A record's ETag is its version in quotes. It is strong: every change makes a
// new version.
func etagOf(version uint32) string { return `"` + strconv.FormatUint(uint64(version), 10) + `"` }

// SetVersion sets the ETag of a record.
func (r *Request) SetVersion(version uint32) { r.Set("ETag", etagOf(version)) }

// Match reads If-Match: the versions that will do, or nil if any will. A weak
// tag, or what is no tag of ours, matches nothing (RFC 9110, 13.1.1); if there
// is nothing else, the condition fails here.
func (r *Request) Match() (memory.Match, error) {
	tags := r.tags("If-Match")
	if tags == nil || len(tags) == 1 && tags[0] == "*" {
		return nil, nil
	}
	var match memory.Match
	for _, tag := range tags {
		if version, ok := versionOf(tag); ok {
			match = append(match, version)
		}
	}
	if match == nil {
		return nil, memory.Refuse(memory.PreconditionFailed, "If-Match names no version of this record")
	}
	return match, nil
}

// Fresh reports whether the client has this version already (If-None-Match).
// If so the answer is 304 and the handler is done.
func (r *Request) Fresh(version uint32) bool { return r.fresh(etagOf(version)) }

func (r *Request) fresh(etag string) bool {
	for _, tag := range r.tags("If-None-Match") {
		if tag == "*" || strings.TrimPrefix(tag, "W/") == etag { // weak comparison
			r.Set("ETag", etag)
			r.fast.Response.SetStatusCode(statusNotModified)
			return true
		}
	}
	return false
}

// tags lists the entity tags of a header, nil if it was not sent. The list is
// cut at commas: no tag of ours holds one.
func (r *Request) tags(header string) []string {
	var tags []string
	for _, line := range r.fast.Request.Header.PeekAll(header) {
		for tag := range strings.SplitSeq(string(line), ",") {
			tags = append(tags, strings.Trim(tag, " \t"))
		}
	}
	return tags
}

func versionOf(tag string) (uint32, bool) {
	inner, quoted := strings.CutPrefix(tag, `"`)
	inner, closed := strings.CutSuffix(inner, `"`)
	n, err := strconv.ParseUint(inner, 10, 32)
	if !quoted || !closed || err != nil || etagOf(uint32(n)) != tag {
		return 0, false
	}
	return uint32(n), true
}
