// Made-up texts for the tokenizer, the same on every run.

import { texts, nasty } from './texts.mjs';

// numbers is a small generator of even quality (mulberry32): numbers(n) gives
// the next whole number below n.
function numbers(seed) {
  return (n) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

// blocks are where made-up runes come from; a few of them make most of the mass.
const blocks = [
  [0x20, 0x7e], [0x20, 0x7e], [0x61, 0x7a], [0x61, 0x7a], [0x00, 0xff], [0xa0, 0x24f], [0x250, 0x36f], [0x370, 0x52f], [0x590, 0x6ff], [0x900, 0xdff],
  [0xe00, 0x11ff], [0x1e00, 0x1fff], [0x2000, 0x2bff], [0x3000, 0x33ff], [0x4e00, 0x9fff], [0xac00, 0xd7a3], [0xf900, 0xffff], [0x1d400, 0x1d7ff],
  [0x1f300, 0x1faff], [0x20000, 0x2fa1f], [0x1680, 0x1c7f], [0xe000, 0xe0ff], [0x10000, 0x1ffff], [0xe0000, 0xe01ff],
];

const special = ['[CLS]', '[SEP]', '[MASK]', '[PAD]', '[UNK]', '[sep]', '##', '\u0301', '\u0000', ' ', '  ', '\t', '\n', '-', "'", '…', 'ß', 'İ', 'Σ'];

// madeUp gives texts of three makings: runes of a few blocks, pieces of the real
// texts cut and glued, and both mixed with what is special to a tokenizer.
export function madeUp(count = 15000, seed = 20240101) {
  const next = numbers(seed);
  const list = [...nasty];
  while (list.length < count) {
    const parts = Array.from({ length: 1 + next(6) }, () => part(next));
    list.push(parts.join(next(3) ? ' ' : ''));
  }
  return list;
}

function part(next) {
  switch (next(5)) {
    case 0: return runes(next);
    case 1: return special[next(special.length)];
    case 2: return upper(cut(next), next);
    default: return cut(next);
  }
}

function runes(next) {
  const [from, to] = blocks[next(blocks.length)];
  return Array.from({ length: 1 + next(8) }, () => String.fromCodePoint(rune(from + next(to - from + 1)))).join('');
}

const rune = (r) => (r >= 0xd800 && r <= 0xdfff ? 0xfffd : r);

function cut(next) {
  const text = [...texts[next(texts.length)].slice(0, 400)];
  const from = next(text.length + 1);
  return text.slice(from, from + 1 + next(24)).join('');
}

const upper = (text, next) => [...text].map((c) => (next(2) ? c.toUpperCase() : c)).join('');

// everyRune asks for a<rune>b, for every rune of the planes in use and for some
// of the others. The word "the" (id 1996) parts one answer from the next.
const THE = 1996;
const perText = 20;
const runs = [[0, 0xd800, 1], [0xe000, 0x40000 - 0xe000, 1], [0x40000, 2600, 251], [0xe0000, 0x1000, 1], [0xf0000, 522, 251]];

export function everyRune(ids) {
  const parts = [];
  for (const [start, count, step] of runs) {
    parts.push(Buffer.from(Uint32Array.of(start, count, step).buffer));
    const list = Array.from({ length: count }, (_, i) => start + i * step);
    const texts = [];
    for (let i = 0; i < count; i += perText) texts.push(list.slice(i, i + perText).map((r) => `a${String.fromCodePoint(r)}b`).join(' the '));
    const groups = ids(texts).flatMap(split);
    if (groups.length !== count) throw new Error(`${groups.length} answers for ${count} runes from ${start}`);
    parts.push(Buffer.from(Uint16Array.from(groups.flatMap((g) => [g.length, ...g])).buffer));
  }
  return Buffer.concat(parts);
}

function split(ids) {
  const groups = [[]];
  for (const id of ids.slice(1, -1)) {
    if (id === THE) groups.push([]);
    else groups.at(-1).push(id);
  }
  return groups;
}
