import { fileURLToPath } from 'node:url';
import { BUILT_IN_KEY, createMock } from '../index.ts';

/** A program: prints how many MB a thousand sessions of 50 records take more than one. Needs --expose-gc. */
const SHIPPED = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
const SESSIONS = 1000;
const headers = { authorization: `Bearer ${BUILT_IN_KEY}`, 'content-type': 'application/json' };
const [kind] = process.argv.slice(2);

const mock = await createMock({ document: SHIPPED, port: false });
await use(0);
const before = memory();
for (let number = 1; number < SESSIONS; number++) await use(number);
process.stdout.write(
  JSON.stringify({ megabytes: (memory() - before) / 2 ** 20, records: await count(SESSIONS - 1) }),
);
await mock.close();

/** `shared`: the seeded records and one of its own; `own`: 50 records that are no one else's. */
async function use(number: number): Promise<void> {
  const session = mock.session(`session-${number}`);
  if (kind === 'own') {
    const records = Array.from({ length: 50 }, (_, index) => ({
      name: `Pet ${number}-${index}`,
      categoryId: index,
    }));
    await session.restore({ records: { '/pets': records } });
  } else {
    const body = JSON.stringify({ name: `Pet ${number}`, categoryId: number });
    await session.fetch('/pets', { method: 'POST', headers, body });
  }
  for (const query of ['', '?limit=100', '?status=sold'])
    await (await session.fetch(`/pets${query}`, { headers })).text();
}

function memory(): number {
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function count(number: number): Promise<number> {
  const list = await mock.session(`session-${number}`).fetch('/pets?limit=100', { headers });
  return ((await list.json()) as unknown[]).length;
}
