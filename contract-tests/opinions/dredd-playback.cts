// Dredd compiles a transaction for each documented response. These hooks let it validate a response of the suite's
// run for each, once a run: a header tells the playback server which one. What a transaction expects stays.
// CommonJS, because Dredd hands out `hooks` through a patched `require`.
type Transaction = {
  request: { method: string; headers: Record<string, string> };
  expected: { statusCode: string };
  origin: { resourceName: string };
  run?: number;
  test?: { status: string; message: string };
};
type Hook = (transactions: Transaction[], done: () => void) => void;

const { readFileSync, writeFileSync } = require('node:fs') as typeof import('node:fs');
const hooks: { beforeAll(hook: Hook): void; afterAll(hook: Hook): void } = require('hooks');

const { PADDOCK_PLAN = '', PADDOCK_OUTCOME = '' } = process.env;
const plan: { header: string; runs: Record<string, string>[] } = JSON.parse(
  readFileSync(PADDOCK_PLAN, 'utf8'),
);

hooks.beforeAll((transactions, done) => {
  // Dredd executes what is in this array after the hooks.
  const documented = transactions.splice(0);
  for (const [run, planned] of plan.runs.entries()) {
    const exchanges = new Map(Object.entries(planned));
    for (const transaction of documented) {
      const name = nameOf(transaction);
      const exchange = exchanges.get(name);
      if (exchange === undefined) continue;
      // A response with several media types has several transactions; the exchange is one of them.
      exchanges.delete(name);
      const own = structuredClone({ ...transaction, run });
      own.request.headers[plan.header] = exchange;
      transactions.push(own);
    }
  }
  done();
});

hooks.afterAll((transactions, done) => {
  const outcomes = transactions.map((one) => {
    return {
      run: one.run,
      transaction: nameOf(one),
      status: one.test?.status,
      message: one.test?.message ?? '',
    };
  });
  writeFileSync(PADDOCK_OUTCOME, JSON.stringify(outcomes));
  done();
});

function nameOf({ request, origin, expected }: Transaction): string {
  return `${request.method} ${origin.resourceName} ${expected.statusCode}`;
}
