// Writes the golden files of the tests with the reference engine:
//
//	engine/embed/minilm/testdata/texts.json       texts
//	engine/embed/minilm/testdata/vectors.bin.gz   their vectors, 384 float32 each
//	engine/embed/minilm/testdata/ids.bin.gz       their token ids, at most 256
//	engine/embed/wordpiece/testdata/random.bin.gz made-up texts and their ids
//	engine/embed/wordpiece/testdata/runes.bin.gz  ids of a<rune>b for every rune
//
// Numbers are little endian; ids are uint16: a count, then as many ids.
// Run it from the root of the repository: node tools/model/golden.mjs

import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ids, vectors } from './engine.mjs';
import { everyRune, madeUp } from './madeup.mjs';
import { texts } from './texts.mjs';

const minilm = 'engine/embed/minilm/testdata/';
const wordpiece = 'engine/embed/wordpiece/testdata/';

const u16 = (numbers) => Buffer.from(Uint16Array.from(numbers).buffer);
const u32 = (number) => Buffer.from(Uint32Array.of(number).buffer);
const spelled = (list) => Buffer.concat(list.map((one) => u16([one.length, ...one])));
const withText = (text, one) => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text), u16([one.length, ...one])]);

function write(name, body) {
  const packed = name.endsWith('.gz') ? gzipSync(body, { level: 9 }) : body;
  writeFileSync(name, packed);
  console.log(name, packed.length);
}

mkdirSync(minilm, { recursive: true });
mkdirSync(wordpiece, { recursive: true });
const only = process.argv[2] ?? 'all';

if (only === 'all' || only === 'vectors') {
  write(minilm + 'texts.json', JSON.stringify(texts, null, 0).replaceAll('","', '",\n"') + '\n');
  write(minilm + 'ids.bin.gz', spelled(ids(texts, 256)));
  write(minilm + 'vectors.bin.gz', Buffer.concat(vectors(texts).map((v) => Buffer.from(v.buffer))));
}
if (only === 'all' || only === 'tokens') {
  const random = madeUp();
  const answers = ids(random, 128);
  write(wordpiece + 'random.bin.gz', Buffer.concat(random.map((text, i) => withText(text, answers[i]))));
  write(wordpiece + 'runes.bin.gz', everyRune((list) => ids(list, 128)));
}
