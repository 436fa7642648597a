import { fileURLToPath } from 'node:url';
import { BUILT_IN_KEY, createMock } from '../index.ts';

/** A program that prints how many MB a thousand sessions of 50 records take more than one. Needs --expose-gc. */
const SHIPPED = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
const SESSIONS = 1000;
const headers = { authorization: `Bearer ${BUILT_IN_KEY}`, 'content-type': 'application/json' };
/** Arguments: kind, collection, a record's members in JSON, a filter. Each record gets a unique name. */
const [kind, collection = '', members = '{}', filter = ''] = process.argv.slice(2);
const recordOf = (name: string) => ({ ...JSON.parse(members), name });

const mock = await createMock({ document: SHIPPED, port: false });
await use(0);
const before = memory();
for (let number = 1; number < SESSIONS; number++) await use(number);
process.stdout.write(
  JSON.stringify({ megabytes: (memory() - before) / 2 ** 20, records: await count(SESSIONS - 1) }),
);
await mock.close();

/** `shared`: the seeded records and one more; `own`: 50 records of the session. */
async function use(number: number): Promise<void> {
  const session = mock.session(`session-${number}`);
  if (kind === 'own') {
    const records = Array.from({ length: 50 }, (_, index) => recordOf(`${number}-${index}`));
    await session.restore({ records: { [collection]: records } });
  } else {
    const body = JSON.stringify(recordOf(`${number}`));
    await session.fetch(collection, { method: 'POST', headers, body });
  }
  for (const query of ['', '?limit=100', filter])
    await (await session.fetch(collection + query, { headers })).text();
}

function memory(): number {
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function count(number: number): Promise<number> {
  const list = await mock.session(`session-${number}`).fetch(`${collection}?limit=100`, { headers });
  return ((await list.json()) as unknown[]).length;
}
