package config

import (
	"net"
	"time"
)

// Settings is the configuration of a server. The tags are read here and by
// the command line:
//
//	name         flag, YAML key and, upper-cased after LOCI_, the variable
//	std          the default
//	min, max     bounds, in the notation of the value
//	oneof        the allowed words
//	form         address, url or name: what a text must look like
//	help         one sentence for people
type Settings struct {
	Addr      string `name:"addr" std:"127.0.0.1:8080" form:"address" placeholder:"HOST:PORT" group:"Where" help:"Address to listen on; port 0 takes a free one."`
	PublicURL string `name:"public-url" std:"" form:"url" placeholder:"URL" group:"Where" help:"Address that documents show to clients; http:// and --addr if not given."`
	Data      string `name:"data" std:"./data" form:"path" placeholder:"DIR" group:"Where" help:"Folder of the store and of the admin socket; made if missing."`
	AdminAddr string `name:"admin-addr" std:"" form:"address" placeholder:"HOST:PORT" group:"Where" help:"Separate address for pprof and debug numbers, without authentication; off if not given."`

	FirstTenant  string `name:"first-tenant" std:"default" form:"name" placeholder:"NAME" group:"First start" help:"Tenant that an empty store begins with."`
	BootstrapKey Secret `name:"bootstrap-key" std:"" kong:"-" help:"API key to install for the first tenant at start; never a flag, because flags show in process lists."`

	Embedder      string `name:"embedder" std:"builtin" oneof:"builtin|hash|openai|ollama" placeholder:"WHICH" group:"Meaning" help:"What turns texts into vectors: builtin (the model in the binary), hash (spelling only), openai (any server with /v1/embeddings) or ollama."`
	EmbedderURL   string `name:"embedder-url" std:"" form:"url" placeholder:"URL" group:"Meaning" help:"Server of an openai or ollama embedder."`
	EmbedderModel string `name:"embedder-model" std:"" placeholder:"NAME" group:"Meaning" help:"Model to ask that server for."`
	EmbedderDim   int    `name:"embedder-dim" std:"0" min:"0" max:"4096" placeholder:"N" group:"Meaning" help:"Length of its vectors; 0 asks the server at start."`
	EmbedderKey   Secret `name:"embedder-key" std:"" kong:"-" help:"API key for that server; never a flag."`

	LogLevel  string `name:"log-level" std:"info" oneof:"debug|info|warn|error" placeholder:"LEVEL" group:"Logs" help:"Least level that is logged: debug, info, warn or error."`
	LogFormat string `name:"log-format" std:"text" oneof:"text|json" placeholder:"FORMAT" group:"Logs" help:"Form of a log line: text or json."`
	AccessLog string `name:"access-log" std:"errors" oneof:"off|errors|all" placeholder:"WHICH" group:"Logs" help:"Requests to log: off, errors or all."`

	BodyLimit      Bytes         `name:"body-limit" std:"1MiB" min:"1KiB" max:"64MiB" placeholder:"SIZE" group:"Limits" help:"Largest request body, after decompression."`
	ReadTimeout    time.Duration `name:"read-timeout" std:"30s" min:"100ms" max:"10m" placeholder:"TIME" group:"Limits" help:"Time a client has to send a whole request."`
	IdleTimeout    time.Duration `name:"idle-timeout" std:"2m" min:"100ms" max:"1h" placeholder:"TIME" group:"Limits" help:"Time an idle connection is kept."`
	MaxConnections int           `name:"max-connections" std:"10000" min:"1" max:"1000000" placeholder:"N" group:"Limits" help:"Connections served at the same time."`
	ShutdownGrace  time.Duration `name:"shutdown-grace" std:"20s" min:"0s" max:"10m" placeholder:"TIME" group:"Limits" help:"Time to finish running requests when the server stops."`

	TenantIdle time.Duration `name:"tenant-idle" std:"10m" min:"1ms" max:"24h" placeholder:"TIME" group:"Tenants" help:"Time after which an unused tenant leaves memory."`
	Queue      int           `name:"queue" std:"4096" min:"1" max:"1000000" placeholder:"N" group:"Tenants" help:"Writes of one tenant that may wait; more are refused with 503."`
	CacheSize  Bytes         `name:"cache-size" std:"64MiB" min:"1MiB" max:"1TiB" placeholder:"SIZE" group:"Tenants" help:"Memory for the store's block cache."`
}

// Secret is a text that prints as a mask (I4).
type Secret string

// mask stands for a secret wherever people can read it.
const mask = "(set, hidden)"

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return mask
}

// GoString keeps %#v from showing what String hides.
func (s Secret) GoString() string { return s.String() }

// MarshalText keeps JSON from showing what String hides.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// URL is the address that documents show, for a server that listens on addr.
func (s *Settings) URL(addr net.Addr) string {
	if s.PublicURL != "" {
		return s.PublicURL
	}
	return "http://" + reachable(addr)
}

// reachable turns "every interface" into an address that a client on this
// machine can open.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
