import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../testing/command.ts';
import { endure } from './endurance.ts';
import { fuzzHar } from './fuzz-har.ts';
import { startMeasuredMock } from './measured-mock.ts';

/** `npm run fuzz -- --exchanges 200000 --seed 7`: other bytes for each seed, and a broken recording for each hundred. */
const { values } = parseArgs({
  options: {
    exchanges: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
const mock = await startMeasuredMock();
const { outcome, summary, report } = await endure(mock, Number(values.exchanges), Number(values.seed));
const covered = report.cells.filter(({ verdict }) => verdict === 'covered').length;
const recording = await readFile(join(ROOT, 'fixtures/har/shop.har'), 'utf8');
const files = Math.ceil(Number(values.exchanges) / 100);
const har = await fuzzHar(recording, join(ROOT, 'spec/openapi.yaml'), files, Number(values.seed));
process.stdout.write(
  [
    `seed ${values.seed}`,
    summary,
    `paddock check directly after: ${covered} of ${report.cells.length} cells covered (exit ${report.exitCode})`,
    `${files} broken recordings: ${har.refused} refused, ${har.exchanges} exchanges read of the others`,
    ...outcome.faults,
    ...har.faults,
    '',
  ].join('\n'),
);
await mock.stop();
process.exitCode = outcome.faults.length + har.faults.length > 0 || report.exitCode !== 0 ? 1 : 0;
