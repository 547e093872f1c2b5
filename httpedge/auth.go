package httpedge

import (
	"bytes"
	"fmt"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

// credentialNames are the query parameters under which people put keys. A key
// in an address ends up in logs and histories, so it is refused even if it is
// good: whoever wrote the client hears of it on the first try.
var credentialNames = [][]byte{[]byte("api_key"), []byte("apikey"), []byte("key"), []byte("token"), []byte("access_token")}

func (r *Request) refuseQueryCredential() error {
	if len(r.fast.URI().QueryString()) == 0 {
		return nil
	}
	for name := range r.fast.QueryArgs().All() {
		for _, bad := range credentialNames {
			if bytes.EqualFold(name, bad) && !wire.Has(r.entry.Doc.Query, string(bad)) {
				return memory.BadField(string(bad), "must not be a query parameter; send the credential as Authorization: Bearer <credential>")
			}
		}
	}
	return nil
}

// authenticate finds out who asks (E2) and whether the credential allows it.
func (r *Request) authenticate() error {
	if r.entry.public() {
		return nil
	}
	credential, err := r.credential()
	if err != nil {
		return err
	}
	who, err := r.server.options.Auth.Authenticate(r.ctx, credential)
	if err != nil {
		return err
	}
	who.RequestID = r.ID
	r.Caller = who
	if !who.May(r.entry.Scope) {
		r.Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="loci", error="insufficient_scope", scope="%s"`, r.entry.Scope))
		return memory.Refuse(memory.Forbidden, fmt.Sprintf("the credential lacks the scope %s", r.entry.Scope))
	}
	return nil
}

// credential is a copy of the bearer credential: an authenticator may keep it (E1).
func (r *Request) credential() (string, error) {
	header := r.fast.Request.Header.Peek("Authorization")
	if len(header) == 0 {
		return "", memory.Refuse(memory.Unauthenticated, "send a credential as Authorization: Bearer <credential>")
	}
	r.sent = true
	scheme, rest, _ := bytes.Cut(header, []byte(" "))
	credential := bytes.Trim(rest, " ")
	if !bytes.EqualFold(scheme, []byte("Bearer")) || len(credential) == 0 || bytes.ContainsAny(credential, " ,") {
		return "", memory.Refuse(memory.Unauthenticated, "the Authorization header is not of the form Bearer <credential>")
	}
	return string(credential), nil
}

// challenge is the WWW-Authenticate header of a 401.
func (r *Request) challenge() string {
	if r.sent {
		return `Bearer realm="loci", error="invalid_token"`
	}
	return `Bearer realm="loci"`
}
