import { readArguments } from '../arguments.ts';
import { renderTable } from '../table.ts';
import { runPaddock, startMock } from '../testing/paddock.ts';

const LATENCY = 250;

readArguments(
  `npm run lab -- bench check

How long \`paddock check\` takes from its start to its end, one run after another. The target is the mock, as it is and with a
latency of ${LATENCY} ms.
`,
  {},
);

const [near, far] = [await startMock(), await startMock(['--latency', `${LATENCY}`])];
const runs = [
  ['paddock mock', near.url],
  [`paddock mock --latency ${LATENCY}`, far.url],
  [`paddock mock --latency ${LATENCY}`, far.url, '8'],
  [`paddock mock --latency ${LATENCY}`, far.url, '1'],
] as const;
const rows: string[][] = [];
for (const [against, url, jobs = ''] of runs) {
  const began = performance.now();
  const env = { PADDOCK_API_KEY: 'paddock-dev-key', PADDOCK_JOBS: jobs };
  const { code, output } = await runPaddock(['check', url], { env });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const requests = /(\d+) requests in/.exec(output)?.[1] ?? '?';
  rows.push([against, `${jobs && `PADDOCK_JOBS=${jobs} `}paddock check URL`, requests, `${code}`, seconds]);
}
await Promise.all([near.stop(), far.stop()]);
process.stdout.write(`${renderTable(['Against', 'Command', 'Requests', 'Exit code', 'Seconds'], rows)}\n`);
