package memory

import (
	"errors"
	"strings"
	"time"
)

// Code says what kind of refusal an [Error] is. The edge maps each to one
// HTTP status in one table.
type Code string

// The codes of the wire contract.
const (
	Invalid            Code = "invalid_request"
	Unauthenticated    Code = "unauthenticated"
	QuotaExhausted     Code = "quota_exhausted"
	Forbidden          Code = "forbidden"
	NotFound           Code = "not_found"
	MethodNotAllowed   Code = "method_not_allowed"
	Conflict           Code = "conflict"
	PreconditionFailed Code = "precondition_failed"
	TooLarge           Code = "payload_too_large"
	Unsupported        Code = "unsupported_media_type"
	Unprocessable      Code = "unprocessable"
	RateLimited        Code = "rate_limited"
	Internal           Code = "internal"
	Overloaded         Code = "overloaded"
)

// FieldError says which field of a request is wrong, and why. Field is the
// path on the wire: "items[3].content".
type FieldError struct {
	Field   string `json:"field" doc:"Path of the field, as sent."`
	Message string `json:"message" doc:"What is wrong with it."`
}

// Error is what a client may read. Detail never holds anything internal.
type Error struct {
	Code   Code
	Detail string
	Fields []FieldError
	// RetryAfter tells the client of an overloaded or rate_limited answer when to come back.
	RetryAfter time.Duration
	// Cause is for the log only; it is never shown to the client.
	Cause error
}

// Error makes the refusal an error for our own logs.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code) + ": " + e.Detail)
	for _, f := range e.Fields {
		b.WriteString("; " + f.Field + " " + f.Message)
	}
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	return b.String()
}

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Cause }

// Refuse makes an error of the given code.
func Refuse(code Code, detail string) *Error { return &Error{Code: code, Detail: detail} }

// BadField makes an invalid_request that names one field.
func BadField(field, message string) *Error {
	return &Error{Code: Invalid, Detail: field + " " + message, Fields: []FieldError{{field, message}}}
}

// Busy makes an overloaded answer with a time to come back.
func Busy(detail string, after time.Duration) *Error {
	return &Error{Code: Overloaded, Detail: detail, RetryAfter: after}
}

// AsError finds the client's error in err; anything else becomes an internal
// one that keeps err as its cause (I2).
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Code: Internal, Detail: "something went wrong on our side", Cause: err}
}

// CodeOf is the code a client would see for err, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return AsError(err).Code
}
