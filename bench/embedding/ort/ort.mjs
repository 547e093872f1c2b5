// One process of onnxruntime, driven by lines of JSON on standard input; the
// Go worker speaks the same protocol (bench/embedding/protocol.go).
//
// usage: node ort.mjs MODEL.onnx THREADS
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const memory = () => {
  const status = readFileSync('/proc/self/status', 'utf8');
  const of = (name) => Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))[1]) * 1024;
  return { rss: of('VmRSS'), peak: of('VmHWM') };
};
const cpu = () => { const c = process.cpuUsage(); return (c.user + c.system) * 1000; };
const now = () => Number(process.hrtime.bigint());

const [file, threads] = process.argv.slice(2);
const bare = memory().rss;
const began = now();
const { default: ort } = await import('onnxruntime-node');
const session = await ort.InferenceSession.create(file, {
  intraOpNumThreads: Number(threads),
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'basic', // build.py applied the rest
});

// A batch is a tensor made before the clock runs: JavaScript costs as little as it can.
const feeds = (texts) => ({
  ids: new ort.Tensor('int64', BigInt64Array.from(texts.flat(), BigInt), [texts.length, texts[0].length]),
});
const vector = async (texts) => (await session.run(feeds(texts))).vector.data;

// session.run of this package computes on the thread that calls it: one call at a
// time is all a process can do, and two at once are two processes.
async function rate({ texts, batch, ns }) {
  const batches = [];
  for (let i = 0; i + batch <= texts.length; i += batch) batches.push(feeds(texts.slice(i, i + batch)));
  for (const b of batches.slice(0, 3)) await session.run(b);
  let next = 0, done = 0;
  const times = [], from = now(), used = cpu();
  for (let at = from; at - from < ns;) {
    await session.run(batches[next++ % batches.length]);
    const then = now();
    times.push(then - at);
    at = then;
    done += batch;
  }
  const wall = now() - from, spent = cpu() - used;
  times.sort((a, b) => a - b);
  const quantile = (q) => times[Math.min(times.length - 1, Math.floor(q * times.length))];
  return { texts: done, wallNs: wall, cpuNs: spent, p50Ns: quantile(0.5), p99Ns: quantile(0.99) };
}

const answers = {
  first: async ({ texts }) => { await vector(texts); return { startNs: now() - began, bare, ...memory() }; },
  vectors: async ({ texts }) => {
    const vectors = [];
    for (const t of texts) vectors.push(Array.from(await vector([t])));
    return { vectors };
  },
  rate,
  memory: async () => memory(),
  about: async () => ({ about: `onnxruntime ${ort.env.versions.node ?? ort.env.versions.common}, Node.js ${process.versions.node}` }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify(await answers[request.op](request)));
}
process.exit(0);
