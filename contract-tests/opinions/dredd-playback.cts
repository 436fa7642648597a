// Dredd makes a row of each documented response. These hooks let it judge an answer of the suite's run for each row:
// the server that plays them tells them by a header. What a row expects is never touched. CommonJS, because Dredd
// hands out `hooks` through a patched `require`.
type Row = {
  request: { method: string; headers: Record<string, string> };
  expected: { statusCode: string };
  origin: { resourceName: string };
  skip: boolean;
  test?: { status: string; message: string };
};
type Hook = (rows: Row[], done: () => void) => void;
type Hooks = { beforeAll(hook: Hook): void; afterAll(hook: Hook): void };

const { readFileSync, writeFileSync } = require('node:fs') as typeof import('node:fs');
const hooks: Hooks = require('hooks');

const { PADDOCK_ROWS = '', PADDOCK_OUTCOME = '' } = process.env;
const plan: { header: string; rows: Record<string, string> } = JSON.parse(readFileSync(PADDOCK_ROWS, 'utf8'));

hooks.beforeAll((rows, done) => {
  const judged = new Set<string>();
  for (const row of rows) {
    const name = nameOf(row);
    const exchange = plan.rows[name];
    // A response with several media types has several rows; the answer is of one of them.
    row.skip = exchange === undefined || judged.has(name);
    judged.add(name);
    if (exchange !== undefined) row.request.headers[plan.header] = exchange;
  }
  done();
});

hooks.afterAll((rows, done) => {
  const outcome = rows
    .filter((row) => !row.skip)
    .map((row) => ({ row: nameOf(row), status: row.test?.status, message: row.test?.message ?? '' }));
  writeFileSync(PADDOCK_OUTCOME, JSON.stringify(outcome));
  done();
});

function nameOf({ request, origin, expected }: Row): string {
  return `${request.method} ${origin.resourceName} ${expected.statusCode}`;
}
