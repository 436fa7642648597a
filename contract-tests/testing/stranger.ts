/**
 * Another client of the same service, in its own process: it creates 100 records a second until it is ended, and then
 * prints their number. Arguments: URL of the collection, API key, JSON body.
 */
const [url = '', key = '', body = ''] = process.argv.slice(2);
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const PER_SECOND = 100;
const started = performance.now();
let asked = 0;
let written = 0;

async function create(): Promise<void> {
  const { status } = await fetch(url, { method: 'POST', headers, body });
  if (status !== 201) throw new Error(`a stranger's create was answered ${status}`);
  written += 1;
}

// By the clock: delays are made up for in the next interval.
setInterval(() => {
  for (const due = ((performance.now() - started) / 1000) * PER_SECOND; asked < due; asked++) void create();
}, 10);

process.once('SIGTERM', () => {
  process.stdout.write(`${written} in ${Math.round(performance.now() - started)} ms\n`, () =>
    process.exit(0),
  );
});
