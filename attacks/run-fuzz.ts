import { parseArgs } from 'node:util';
import { endure } from './endurance.ts';
import { startMeasuredMock } from './measured-mock.ts';

/** `npm run fuzz -- --exchanges 200000 --seed 7`: other bytes for each seed. */
const { values } = parseArgs({
  options: {
    exchanges: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
const mock = await startMeasuredMock();
const { outcome, summary, report } = await endure(mock, Number(values.exchanges), Number(values.seed));
const covered = report.cells.filter(({ verdict }) => verdict === 'covered').length;
process.stdout.write(
  [
    `seed ${values.seed}`,
    summary,
    `paddock check directly after: ${covered} of ${report.cells.length} cells covered (exit ${report.exitCode})`,
    ...outcome.faults,
    '',
  ].join('\n'),
);
await mock.stop();
process.exitCode = outcome.faults.length > 0 || report.exitCode !== 0 ? 1 : 0;
