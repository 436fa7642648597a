import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../testing/command.ts';
import { endure } from './endurance.ts';
import { fuzzConfiguration } from './fuzz-configuration.ts';
import { fuzzHar } from './fuzz-har.ts';
import { fuzzProxy } from './fuzz-proxy.ts';
import { startMeasuredMock } from './processes.ts';

/**
 * `npm run fuzz -- --exchanges 200000 --seed 7`: other bytes for each seed. A tenth of them goes through proxies, from
 * either side; for each hundred there is a broken recording, for each thousand a broken configuration file.
 */
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
const proxied = Math.ceil(Number(values.exchanges) / 10);
const proxy = await fuzzProxy(proxied, Number(values.seed));
const configurations = Math.ceil(Number(values.exchanges) / 1000);
const configuration = await fuzzConfiguration(configurations, Number(values.seed));
const faults = [...outcome.faults, ...har.faults, ...proxy.faults, ...configuration.faults];
process.stdout.write(
  [
    `seed ${values.seed}`,
    summary,
    `paddock check directly after: ${covered} of ${report.cells.length} cells covered (exit ${report.exitCode})`,
    `${files} broken recordings: ${har.refused} refused, ${har.exchanges} exchanges read of the others`,
    `${proxied} exchanges through proxies, from each side: ${proxy.passed} requests passed, ${proxy.refused} refused, ${proxy.failed} responses were 502`,
    `${configurations} broken configuration files: ${configuration.refused} refused, ${configuration.read} read`,
    ...faults,
    '',
  ].join('\n'),
);
await mock.stop();
process.exitCode = faults.length > 0 || report.exitCode !== 0 ? 1 : 0;
