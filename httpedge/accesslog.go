package httpedge

import (
	"context"
	"log/slog"
	"time"

	"loci/engine/memory"
)

// finish counts the answer and logs it, if it is to be logged.
func (r *Request) finish() {
	took := time.Since(r.start)
	r.server.metrics.observe(r, took)
	if r.worthLogging(r.fast.Response.StatusCode()) {
		r.log(took)
	}
}

// worthLogging: an internal error always is, whatever the setting, because its
// cause is told to nobody else.
func (r *Request) worthLogging(status int) bool {
	switch {
	case r.failure != nil:
		return true
	case r.server.options.AccessLog == LogAll:
		return true
	}
	return r.server.options.AccessLog == LogErrors && status >= statusFirstError
}

// log writes one line. Neither credential nor query nor body is in it (E6).
func (r *Request) log(took time.Duration) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String(keyRequestID, r.ID),
		slog.String(keyMethod, methodLabel(r.fast.Method())),
		slog.String(keyRoute, r.entry.Path),
		slog.Int(keyStatus, r.fast.Response.StatusCode()),
		slog.Float64(keyDuration, float64(took.Microseconds())/1000),
		slog.Int(keyBytes, len(r.fast.Response.Body())),
	}
	if r.Caller.Tenant != (memory.TenantID{}) {
		attrs = append(attrs, slog.String(keyTenant, r.Caller.Tenant.String()), slog.String(keyKeyID, r.Caller.KeyID.String()))
	}
	if r.failure != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String(keyError, r.failure.Error()))
	}
	r.server.options.Log.LogAttrs(context.Background(), level, "request", attrs...)
}
