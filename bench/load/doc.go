// Package load sends requests at a server and says honestly how it fared.
//
// An open loop decides before the run when each request is due, as callers in
// the world do, who do not wait for one another's answers. A latency counts
// from that intended moment: when the server stalls, the requests that were
// due in the meantime stand in the report with the time they had to wait
// (no coordinated omission). A closed loop sends the next request when the last one
// was answered; it finds the highest throughput, but its latencies are only
// service times and the report says so.
//
// Invariants:
//
//	I1  The schedule is made before the first request and depends on the plan
//	    alone (rate, span, arrivals, seed).
//	I2  In an open loop latency is answer time minus intended time, however
//	    late the request really went out.
//	I3  Every arrival of the measured window is counted exactly once: it
//	    succeeded, failed, or was missed (still waiting when the run ended).
//	I4  Latencies hold the successes, and also timeouts and missed arrivals
//	    with the time they had waited, so that silence never improves a
//	    percentile. Refusals (an answer, but a wrong one) are counted apart.
//	I5  A number n is handed to Send at most once within a run, and
//	    [Report.Next] is larger than every n used.
//	I6  The generator allocates nothing per successful request.
//
// Caveats: one goroutine a connection, so that C connections have at most C
// requests in flight; further arrivals wait in line, and the wait counts (I2).
// Histograms resolve one microsecond and three digits, up to one minute.
package load
