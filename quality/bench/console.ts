import type { Browser } from 'playwright-core';
import { createMock } from '#mock';
import { readArguments } from '../arguments.ts';
import { launchChromium } from '../testing/chromium.ts';
import { table } from './report.ts';

const HELP = `npm run bench -- console [FILE...] [--rounds 3]

How soon the pages of the console show something, each time in a fresh browser context. The shipped document has 10,000
records, others have 50 in each collection. The median of the rounds counts.
`;

interface View {
  readonly name: string;
  /** Behind the address of the control API. */
  readonly path: string;
  /** What is visible once the first row is. */
  readonly row: string;
}

const VIEWS: readonly View[] = [
  { name: 'start', path: '/', row: '.start .collection-name' },
  { name: 'records', path: '/#/records', row: '.records tbody tr' },
  { name: 'reference', path: '/reference', row: '.reference-list a[href*="operations/"]' },
];

/** Of the shipped document's collection. */
const MANY = 10_000;

const { positionals, values } = readArguments(HELP, { rounds: { type: 'string', default: '3' } });
const documents = [
  { document: new URL('../../spec/openapi.yaml', import.meta.url), count: MANY },
  ...positionals.map((document) => ({ document, count: 50 })),
];

const browser = await launchChromium();
const rows: string[][] = [];
for (const one of documents) {
  const mock = await createMock({ ...one, port: 0 });
  const name = `${mock.contract.title}, ${mock.operations.length} operations, ${one.count} records`;
  for (const view of VIEWS) {
    const rounds: Times[] = [];
    for (let round = 0; round < Number(values.rounds); round++)
      rounds.push(await measure(browser, mock.controlUrl, view));
    const median = (figure: keyof Times) =>
      rounds.map((times) => times[figure]).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
    rows.push([name, view.name, milliseconds(median('paint')), milliseconds(median('row'))]);
  }
  await mock.close();
}
await browser.close();
process.stdout.write(`${table(['document', 'page', 'first paint', 'first row'], rows)}\n`);

/** In milliseconds since the address was entered. */
interface Times {
  readonly paint: number;
  readonly row: number;
}

async function measure(within: Browser, base: string, { path, row }: View): Promise<Times> {
  const context = await within.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const begun = performance.now();
  await page.goto(base + path, { waitUntil: 'commit' });
  await page.locator(row).first().waitFor({ state: 'visible' });
  const shown = performance.now() - begun;
  const paint = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  await context.close();
  return { paint, row: shown };
}

function milliseconds(value: number): string {
  return `${Math.round(value)} ms`;
}
