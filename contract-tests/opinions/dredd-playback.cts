// Dredd makes a row of each documented response. These hooks let it judge an answer of the suite's run for each row,
// once for each sheet: the server that plays the answers tells them by a header. What a row expects is never touched.
// CommonJS, because Dredd hands out `hooks` through a patched `require`.
type Row = {
  request: { method: string; headers: Record<string, string> };
  expected: { statusCode: string };
  origin: { resourceName: string };
  sheet?: number;
  test?: { status: string; message: string };
};
type Hook = (rows: Row[], done: () => void) => void;
type Hooks = { beforeAll(hook: Hook): void; afterAll(hook: Hook): void };

const { readFileSync, writeFileSync } = require('node:fs') as typeof import('node:fs');
const hooks: Hooks = require('hooks');

const { PADDOCK_ROWS = '', PADDOCK_OUTCOME = '' } = process.env;
const plan: { header: string; sheets: Record<string, string>[] } = JSON.parse(
  readFileSync(PADDOCK_ROWS, 'utf8'),
);

hooks.beforeAll((rows, done) => {
  // Dredd goes through this array once the hooks are done with it.
  const documented = rows.splice(0);
  for (const [sheet, exchanges] of plan.sheets.entries()) {
    const judged = new Set<string>();
    for (const row of documented) {
      const name = nameOf(row);
      const exchange = exchanges[name];
      // A response with several media types has several rows; the answer is of one of them.
      if (exchange === undefined || judged.has(name)) continue;
      judged.add(name);
      const own = structuredClone({ ...row, sheet });
      own.request.headers[plan.header] = exchange;
      rows.push(own);
    }
  }
  done();
});

hooks.afterAll((rows, done) => {
  const outcome = rows.map((row) => ({
    sheet: row.sheet,
    row: nameOf(row),
    status: row.test?.status,
    message: row.test?.message ?? '',
  }));
  writeFileSync(PADDOCK_OUTCOME, JSON.stringify(outcome));
  done();
});

function nameOf({ request, origin, expected }: Row): string {
  return `${request.method} ${origin.resourceName} ${expected.statusCode}`;
}
