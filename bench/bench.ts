import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Contender, contenders, type Running, start } from './contenders.ts';
import { type Load, load } from './load.ts';
import { OPERATIONS } from './operations.ts';
import { costOf } from './process-cost.ts';
import { recordAnswers } from './record.ts';
import { median, medianLoad, table } from './table.ts';

/**
 * This mock beside a bare `node:http`, Fastify by hand and Prism, interleaved: `npm run bench`.
 * The ratios are what counts; the figures themselves are this machine's. CPU time per request is the server's own,
 * and true even where the load generator on the other core is the bottleneck.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '20000' },
    json: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const requests = Number(values.requests);

/** Prism answers so much slower that as many requests would take minutes. */
const SHARE = { paddock: 1, 'bare node:http': 1, 'Fastify by hand': 1, Prism: 0.05 } as const;

type Results = Map<Contender['name'], Map<string, Load[]>>;

async function measure(running: readonly Running[]): Promise<Results> {
  const results: Results = new Map(
    running.map(({ contender }) => [contender.name, new Map(OPERATIONS.map(({ name }) => [name, []]))]),
  );
  // The first round warms up, and does not count.
  for (let round = 0; round <= rounds; round++) {
    process.stderr.write(round === 0 ? 'warming up\n' : `round ${round} of ${rounds}\n`);
    for (const operation of OPERATIONS) {
      for (const { contender, url, pid } of running) {
        const amount = Math.max(100, Math.round(requests * SHARE[contender.name]));
        const result = await load(url, pid, operation, amount);
        if (round > 0) results.get(contender.name)?.get(operation.name)?.push(result);
      }
    }
  }
  return results;
}

async function startUps(all: readonly Contender[]): Promise<Map<Contender['name'], number>> {
  const times = new Map(all.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const contender of all) {
      const running = await start(contender);
      await running.stop();
      if (round > 0) times.get(contender.name)?.push(running.startUp);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

const [paddock] = contenders('') as [Contender];
const first = await start(paddock);
const all = contenders(await recordAnswers(first.url));
await first.stop();

const startUp = await startUps(all);
const running = await Promise.all(all.map(start));
const memory = new Map(running.map(({ contender, pid }) => [contender.name, costOf(pid).memory]));
const results = await measure(running).finally(() => Promise.all(running.map(({ stop }) => stop())));

const medians = new Map(
  [...results].map(([name, byOperation]) => [
    name,
    new Map([...byOperation].map(([operation, list]) => [operation, medianLoad(list)])),
  ]),
);
const figure = (name: Contender['name'], operation: string, key: keyof Load) =>
  medians.get(name)?.get(operation)?.[key] ?? Number.NaN;
const rows = OPERATIONS.flatMap(({ name: operation }) =>
  all.map(({ name }) => [
    operation,
    name,
    figure(name, operation, 'throughput').toFixed(0),
    figure(name, operation, 'p50').toFixed(1),
    figure(name, operation, 'p99').toFixed(1),
    figure(name, operation, 'cpu').toFixed(1),
    (figure(name, operation, 'cpu') / figure('bare node:http', operation, 'cpu')).toFixed(2),
    (figure('paddock', operation, 'throughput') / figure(name, operation, 'throughput')).toFixed(1),
  ]),
);
const atRest = all.map(({ name }) => [
  name,
  (startUp.get(name) ?? 0).toFixed(0),
  (memory.get(name) ?? 0).toFixed(0),
]);

process.stdout.write(`Load by autocannon, ${rounds} rounds, medians.\n\n`);
process.stdout.write(
  `${table(['operation', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'CPU against bare', 'paddock is faster by'], rows)}\n\n`,
);
process.stdout.write(`${table(['server', 'start to first answer, ms', 'memory at rest, MiB'], atRest)}\n`);
if (values.json !== undefined) {
  const data = {
    rounds,
    requests,
    startUp: Object.fromEntries(startUp),
    memory: Object.fromEntries(memory),
    operations: Object.fromEntries([...medians].map(([name, map]) => [name, Object.fromEntries(map)])),
  };
  await writeFile(values.json, `${JSON.stringify(data, null, 2)}\n`);
}
