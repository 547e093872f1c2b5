package httpedge

import "loci/engine/memory"

// The parts of the description that all operations share.

// problemShape is what appendProblem writes, for the description.
type problemShape struct {
	Type      string         `json:"type" doc:"Address that explains the code."`
	Title     string         `json:"title" doc:"What the code means, in a few words."`
	Status    int            `json:"status" doc:"The HTTP status."`
	Detail    string         `json:"detail" doc:"What happened here."`
	Code      string         `json:"code" doc:"The code, for programs."`
	RequestID string         `json:"requestId" doc:"The X-Request-Id of the answer."`
	Errors    []problemField `json:"errors,omitempty" doc:"The fields that are wrong."`
}

type problemField struct {
	Field   string `json:"field" doc:"Path of the field, as sent: items[3].content."`
	Message string `json:"message" doc:"What is wrong with it."`
}

type successShape struct {
	Success bool `json:"success" doc:"true in every answer that is not a problem."`
}

func refusals() object {
	all := object{}
	for _, k := range kinds {
		headers := object{headerRequestID: ref("headers/RequestId")}
		switch k.code {
		case memory.Unauthenticated, memory.Forbidden:
			headers["WWW-Authenticate"] = ref("headers/Challenge")
		case memory.MethodNotAllowed:
			headers["Allow"] = ref("headers/Allow")
		case memory.RateLimited, memory.Overloaded:
			headers["Retry-After"] = ref("headers/RetryAfter")
		}
		all[string(k.code)] = object{"description": k.title + ".", "headers": headers,
			"content": object{problemType: object{"schema": ref("schemas/Problem")}}}
	}
	return all
}

func commonHeaders() object {
	header := func(about string) object {
		return object{"description": about, "schema": object{"type": "string"}}
	}
	return object{
		"RequestId":          header("The caller's X-Request-Id if it was 1 to 128 of A-Z a-z 0-9 . _ -, else a new one."),
		"ETag":               header("The version of the record, in quotes, for If-Match and If-None-Match."),
		"IdempotentReplayed": header("true if this is the first answer to the same Idempotency-Key, sent again."),
		"RetryAfter":         object{"description": "Seconds after which to try again.", "schema": object{"type": "integer", "minimum": 1}},
		"Allow":              header("The methods that the path takes."),
		"Challenge":          header("How to authenticate (RFC 6750)."),
	}
}

func commonParameters() object {
	header := func(name, about string, schema object) object {
		return object{"name": name, "in": "header", "required": false, "description": about, "schema": schema}
	}
	text := func() object { return object{"type": "string"} }
	return object{
		"RequestId":      header(headerRequestID, "A name for this request; it comes back in the answer and stands in the log.", text()),
		"IdempotencyKey": header(headerOnce, "The same key and body within 24 hours get the first answer again; the same key with another body is a conflict.", object{"type": "string", "minLength": 1, "maxLength": 255}),
		"IfMatch":        header("If-Match", "Go on only if the record has one of these versions.", text()),
		"IfNoneMatch":    header("If-None-Match", "Answer 304 if the record still has this version.", text()),
	}
}
