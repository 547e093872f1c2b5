package httpedge

import (
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"loci/engine/memory"
)

// AccessLog says which requests are logged.
type AccessLog string

// The choices. Errors are answers of 400 and above.
const (
	LogErrors AccessLog = "errors"
	LogAll    AccessLog = "all"
	LogOff    AccessLog = "off"
)

// Options are the settings of a [Server]. Zero means the default.
type Options struct {
	Auth   memory.Authenticator // required if a route is not public
	Routes []Route
	// PublicURL is the address that documents show: scheme, host and perhaps
	// a path, without a slash at the end. Default http://127.0.0.1:8080.
	PublicURL string
	Name      string       // of the service, in documents; default Loci
	Version   string       // of the program, in documents; default dev
	Log       *slog.Logger // default: nothing is logged
	AccessLog AccessLog    // default errors
	// Ready says whether the server can do its work; nil means always.
	Ready func() error
	// Metrics appends the metrics of other rooms to /metrics.
	Metrics func(io.Writer)

	BodyLimit   int // bytes of a body, also decompressed; default 1 MiB
	Connections int // open at once; the rest get 503; default 10,000

	ReadTimeout  time.Duration // to receive one whole request; default 15 s
	WriteTimeout time.Duration // to send one whole answer; default 30 s
	IdleTimeout  time.Duration // between requests of a connection; default 90 s

	ReadDeadline  time.Duration // for the work of a reading route; default 10 s
	WriteDeadline time.Duration // for the work of a writing route; default 30 s
}

func (o Options) withDefaults() Options {
	setDefault(&o.PublicURL, "http://127.0.0.1:8080")
	o.PublicURL = strings.TrimRight(o.PublicURL, "/")
	setDefault(&o.Name, "Loci")
	setDefault(&o.Version, "dev")
	setDefault(&o.Log, slog.New(slog.DiscardHandler))
	setDefault(&o.AccessLog, LogErrors)
	setDefault(&o.BodyLimit, 1<<20)
	setDefault(&o.Connections, 10_000)
	setDefault(&o.ReadTimeout, 15*time.Second)
	setDefault(&o.WriteTimeout, 30*time.Second)
	setDefault(&o.IdleTimeout, 90*time.Second)
	setDefault(&o.ReadDeadline, 10*time.Second)
	setDefault(&o.WriteDeadline, 30*time.Second)
	if o.Ready == nil {
		o.Ready = func() error { return nil }
	}
	if o.Metrics == nil {
		o.Metrics = func(io.Writer) {}
	}
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (o *Options) validate() error {
	if o.BodyLimit < 0 || o.Connections < 0 {
		return fmt.Errorf("httpedge options: BodyLimit and Connections must not be negative")
	}
	for _, d := range []time.Duration{o.ReadTimeout, o.WriteTimeout, o.IdleTimeout, o.ReadDeadline, o.WriteDeadline} {
		if d < 0 {
			return fmt.Errorf("httpedge options: a timeout of %v is negative", d)
		}
	}
	switch o.AccessLog {
	case LogErrors, LogAll, LogOff:
	default:
		return fmt.Errorf("httpedge options: AccessLog %q is not errors, all or off", o.AccessLog)
	}
	if u, err := url.Parse(o.PublicURL); err != nil || u.Host == "" || u.RawQuery != "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("httpedge options: PublicURL %q is not an http or https address", o.PublicURL)
	}
	return o.validateRoutes()
}

func (o *Options) validateRoutes() error {
	taken := map[string]bool{}
	for i := range o.Routes {
		r := &o.Routes[i]
		switch {
		case r.Method == "" || !strings.HasPrefix(r.Path, "/") || r.Handle == nil:
			return fmt.Errorf("httpedge options: route %d (%s %s) needs a method, a path and a handler", i, r.Method, r.Path)
		case !r.public() && o.Auth == nil:
			return fmt.Errorf("httpedge options: route %s %s needs Auth", r.Method, r.Path)
		case taken[r.Method+r.Path]:
			return fmt.Errorf("httpedge options: route %s %s is given twice", r.Method, r.Path)
		}
		taken[r.Method+r.Path] = true
	}
	return nil
}
