import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createMock, type Mock } from '#mock';
import { DocumentError } from '#spec';
import { readArguments, refuse } from '../arguments.ts';
import { launchChromium } from '../testing/chromium.ts';
import { collectRecords, type Members } from './collect-records.ts';
import { type GalleryDocument, galleryDocuments, usualDocuments } from './gallery-documents.ts';
import { type Complaint, type Judgement, judgeRecords, KINDS } from './judge-records.ts';
import { countsOf, isPicture, renderGallery, type Section } from './render-gallery.ts';

const HELP = `npm run gallery -- [options] [FOLDER|PACKAGE|FILE...]

Starts the mock of each document (default: twenty of the tests and of packages), writes a page with the first five records
of each collection, and prints what in the records no person would believe. Folders may hold compressed documents (.gz).

  --page FILE       the page to write (default: .gallery/gallery.html)
  --pictures DIR    takes a picture of each document's part of the page, too, with Chromium
  --worst N         how many complaints of a document are printed (default: 0; 10 for documents that are named)
`;

const OPTIONS = {
  page: { type: 'string', default: '.gallery/gallery.html' },
  pictures: { type: 'string' },
  worst: { type: 'string' },
} as const;

const SHOWN = 5;

const { values, positionals } = readArguments(HELP, OPTIONS);
const worst = Number(values.worst ?? (positionals.length > 0 ? 10 : 0));
const pictures = new Map<string, string | undefined>();
const sections: Section[] = [];
for (const document of documentsOf()) {
  const section = await look(document);
  if (!section) continue;
  sections.push(section);
  print(section.document, section.judgement);
}
print(
  'all',
  {
    judged: Object.fromEntries(
      KINDS.map((kind) => [kind, sections.reduce((sum, one) => sum + one.judgement.judged[kind], 0)]),
    ) as Judgement['judged'],
    complaints: sections.flatMap((one) => one.judgement.complaints),
  },
  0,
);
mkdirSync(join(values.page, '..'), { recursive: true });
writeFileSync(values.page, renderGallery(sections, pictures));
if (values.pictures !== undefined) await takePictures(values.pictures);

/** Undefined: the document cannot be read. */
async function look({ name, read }: GalleryDocument): Promise<Section | undefined> {
  let mock: Mock;
  try {
    mock = await createMock({ document: await read(), port: 0, maxBody: 2 ** 24 });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    process.stdout.write(`${name}: ${error.problems[0]?.message}\n`);
    return undefined;
  }
  const shown = await collectRecords(mock);
  const tables = shown.map((one) => ({
    path: one.resource.path,
    request: one.request,
    total: one.ids.size,
    records: one.records.slice(0, SHOWN),
  }));
  for (const url of tables.flatMap(({ records }) => records.flatMap(picturesIn)))
    if (!pictures.has(url)) pictures.set(url, await loadPicture(mock, url));
  const judgement = judgeRecords(mock.contract, shown);
  await mock.close();
  return { document: name, title: mock.contract.title || name, judgement, tables };
}

function picturesIn(record: Members): string[] {
  return Object.entries(record).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter((one) => isPicture(name, one)),
  );
}

/** As a front end on another address would load it; what is not on this machine is not asked for. */
async function loadPicture(mock: Mock, url: string): Promise<string | undefined> {
  if (url.startsWith('data:')) return url;
  const address = URL.parse(url, mock.url);
  if (address?.origin !== new URL(mock.url).origin) return undefined;
  const response = await fetch(address);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !type.startsWith('image/')) return undefined;
  return `data:${type};base64,${Buffer.from(await response.arrayBuffer()).toString('base64')}`;
}

function print(name: string, judgement: Judgement, most = worst): void {
  process.stdout.write(
    `${name}: ${countsOf(judgement)
      .map(({ text }) => text)
      .join(', ')}\n`,
  );
  for (const one of worstOf(judgement.complaints).slice(0, most))
    process.stdout.write(
      `  ${one.collection} ${one.member}: ${JSON.stringify(String(one.value))} ${one.why} (${one.kind})\n`,
    );
}

/** One of each member, of each kind in turn; what is noise need not be reported as Latin, too. */
function worstOf(complaints: readonly Complaint[]): Complaint[] {
  const seen = new Set<string>();
  const distinct = complaints.filter(({ kind, collection, member }) => {
    const key = `${kind === 'latin' ? 'noise' : kind} ${collection} ${member}`;
    return !seen.has(key) && seen.add(key);
  });
  const byKind = KINDS.map((kind) => distinct.filter((one) => one.kind === kind));
  return distinct.flatMap((_, index) => byKind.flatMap((all) => all[index] ?? []));
}

/** Of each document that has records: the upper end of its part of the page. */
async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1200, height: 300 }, colorScheme: 'light' });
  for (const section of sections) {
    await page.setContent(renderGallery([section], pictures));
    const whole = await page.evaluate('document.documentElement.scrollHeight');
    const name = basename(section.document).replace(/\.\w+$/, '');
    const clip = { x: 0, y: 0, width: 1200, height: Math.min(Number(whole), 1200) };
    writeFileSync(join(folder, `${name}.png`), await page.screenshot({ clip, fullPage: true }));
  }
  await browser.close();
}

function documentsOf(): GalleryDocument[] {
  try {
    return positionals.length > 0 ? positionals.flatMap(galleryDocuments) : usualDocuments();
  } catch (error) {
    if (error instanceof RangeError) return refuse(error.message);
    throw error;
  }
}
