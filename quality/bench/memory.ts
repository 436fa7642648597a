import { fileURLToPath } from 'node:url';
import { createMock } from '../../mock/index.ts';
import { readArguments } from '../arguments.ts';

const HELP = `npm run bench -- memory [--records 1000000]

What a record costs in memory, its index included.
`;

const { values } = readArguments(HELP, { records: { type: 'string', default: '1000000' } });
const count = Number(values.records);
const collect = globalThis.gc;
if (!collect) throw new Error('run it with node --expose-gc');

function heap(): number {
  collect?.();
  return process.memoryUsage().heapUsed;
}

const document = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
const few = await createMock({ document, port: false, count: 100 });
await few.state();
const before = heap();
const many = await createMock({ document, port: false, count });
const bytes = (heap() - before) / count;
process.stdout.write(`${bytes.toFixed(0)} bytes for each of ${count} records\n`);
await Promise.all([few.close(), many.close()]);
