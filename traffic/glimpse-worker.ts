import { parentPort, workerData } from 'node:worker_threads';
import { loadContract } from '#spec';
import { compileReadEntry } from './har/read-har.ts';
import type {
  GlimpsedEntry,
  GlimpsedTarget,
  GlimpseReply,
  GlimpseRequest,
} from './judge/glimpse-messages.ts';
import { sentOf, shownOf } from './judge/observed-exchange.ts';
import { compileGlimpse } from './observe/glimpse.ts';

/** The thread that `judge/glimpse-pool.ts` starts: it judges entries of a HAR by themselves. */
const targets = workerData as readonly GlimpsedTarget[];
const reply = (message: GlimpseReply) => parentPort?.postMessage(message);

const contracts = await Promise.all(targets.map(({ document, load }) => loadContract(document, load)));
const glimpsers = contracts.map((contract, index) => compileGlimpse(contract, targets[index]?.options ?? {}));

parentPort?.on('message', ({ id, path, bytes, entries, sites }: GlimpseRequest) => {
  const read = compileReadEntry(path ?? noFile());
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const seen = entries.map(({ index, line, length }): GlimpsedEntry | undefined => {
    const item = read({ index, line, bytes: text.subarray(at, at + length), isCut: false });
    at += length;
    if ('problem' in item) return undefined;
    const glimpses = glimpsers.map((glimpse, target) =>
      glimpse(sentOf(item), shownOf(item), sites[target] ?? new Map()),
    );
    const { startedAt, ms, remarks } = item;
    return glimpses.some((one) => one !== undefined) ? { startedAt, ms, remarks, glimpses } : undefined;
  });
  reply({ id, entries: seen });
});
reply({ ready: contracts.map(({ operations }) => operations.map((one) => one.id)) });

async function* noFile(): AsyncGenerator<Uint8Array> {}
