package httpedge

import (
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
)

// latencies are the bucket bounds in seconds: fine where a learn or a search
// should be, coarse up to the deadlines.
var latencies = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// meters are the edge's own metrics. Labels are route templates, known methods
// and statuses, so that no client can make new ones.
type meters struct {
	registry *prometheus.Registry
	running  atomic.Int64
	received prometheus.Counter
	sent     prometheus.Counter
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	routes   sync.Map // path template -> *meter
}

func newMeters(connections func() float64) *meters {
	m := &meters{
		registry: prometheus.NewRegistry(),
		received: counter("loci_http_received_body_bytes_total", "Bytes of request bodies."),
		sent:     counter("loci_http_sent_body_bytes_total", "Bytes of answers' bodies."),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "loci_http_requests_total", Help: "Requests answered.",
		}, []string{"route", "method", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "loci_http_request_duration_seconds", Help: "From the whole request to the whole answer.", Buckets: latencies,
		}, []string{"route"}),
	}
	m.registry.MustRegister(m.received, m.sent, m.requests, m.latency,
		gauge("loci_http_requests_running", "Requests being worked on.", func() float64 { return float64(m.running.Load()) }),
		gauge("loci_http_connections_open", "Open connections.", connections),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

func gauge(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
}

// meter belongs to one path template.
type meter struct {
	requests *prometheus.CounterVec
	route    string
	latency  prometheus.Observer

	mu struct {
		sync.RWMutex
		counters map[outcome]prometheus.Counter
	}
}

type outcome struct {
	method string
	status int
}

func (m *meters) of(route string) *meter {
	if known, ok := m.routes.Load(route); ok {
		return known.(*meter)
	}
	fresh := &meter{requests: m.requests, route: route, latency: m.latency.WithLabelValues(route)}
	fresh.mu.counters = make(map[outcome]prometheus.Counter)
	known, _ := m.routes.LoadOrStore(route, fresh)
	return known.(*meter)
}

// count notes one answer. A map of its own type costs no allocation where a
// look-up by labels would build them each time.
func (m *meter) count(method string, status int) {
	at := outcome{method, status}
	m.mu.RLock()
	counter := m.mu.counters[at]
	m.mu.RUnlock()
	if counter == nil {
		counter = m.newCounter(at)
	}
	counter.Inc()
}

func (m *meter) newCounter(at outcome) prometheus.Counter {
	counter := m.requests.WithLabelValues(m.route, at.method, strconv.Itoa(at.status))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.counters[at] = counter
	return counter
}

func (m *meters) observe(r *Request, took time.Duration) {
	m.received.Add(float64(len(r.fast.Request.Body())))
	m.sent.Add(float64(len(r.fast.Response.Body())))
	r.entry.meter.latency.Observe(took.Seconds())
	r.entry.meter.count(methodLabel(r.fast.Method()), r.fast.Response.StatusCode())
}

// methodLabel is a method as a label: an invented one is "other".
func methodLabel(method []byte) string {
	switch string(method) {
	case "GET":
		return "GET"
	case "HEAD":
		return "HEAD"
	case "POST":
		return "POST"
	case "PATCH":
		return "PATCH"
	case "PUT":
		return "PUT"
	case "DELETE":
		return "DELETE"
	case "OPTIONS":
		return "OPTIONS"
	}
	return "other"
}

// writeMetrics writes everything in the Prometheus text format.
func (s *Server) writeMetrics(w io.Writer) error {
	families, err := s.metrics.registry.Gather()
	if err != nil {
		return err
	}
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
			return err
		}
	}
	s.options.Metrics(w)
	return nil
}
