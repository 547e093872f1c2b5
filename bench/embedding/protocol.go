package embedding

// request is one line to a side. Op is one of
//
//	first    load the model, embed Texts once: how long did it take?
//	vectors  the vectors of Texts, one by one
//	rate     embed Texts round and round for Ns, Batch texts a call, AtOnce calls at once
//	memory   how large is the process?
//	about    what is it?
type request struct {
	Op     string    `json:"op"`
	Texts  [][]int32 `json:"texts,omitempty"`
	Batch  int       `json:"batch,omitempty"`
	AtOnce int       `json:"atOnce,omitempty"`
	Ns     int64     `json:"ns,omitempty"`
}

// answer is the line that comes back; which fields are set depends on the op.
type answer struct {
	Error string `json:"error,omitempty"`
	About string `json:"about,omitempty"`

	StartNs int64 `json:"startNs,omitempty"` // from the first line of the program to the first vector
	Bare    int64 `json:"bare,omitempty"`    // resident bytes before the model was loaded
	RSS     int64 `json:"rss,omitempty"`
	Peak    int64 `json:"peak,omitempty"`

	Vectors [][]float32 `json:"vectors,omitempty"`

	Texts  int64 `json:"texts,omitempty"`
	WallNs int64 `json:"wallNs,omitempty"`
	CPUNs  int64 `json:"cpuNs,omitempty"`
	P50Ns  int64 `json:"p50Ns,omitempty"` // of one call
	P99Ns  int64 `json:"p99Ns,omitempty"`
}
