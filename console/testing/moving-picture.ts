import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../quality/testing/chromium.ts';
import { openConsole } from './page.ts';

/** Records the animation of the README, from the real terminal and console: `npm run moving-picture`. */
const OUT = fileURLToPath(new URL('../../docs/screenshots/first-minute.webp', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = ['--disable-warning=ExperimentalWarning', 'cli/paddock.js'];
const DOCUMENT = 'spec/openapi.yaml';
/** In CSS pixels. */
const SIZE = { width: 1000, height: 620 };
const HEADERS = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

interface Frame {
  readonly picture: Buffer;
  /** How long it is shown. */
  readonly ms: number;
}

const frames: Frame[] = [];

async function take(page: Page, ms: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  frames.push({ picture: Buffer.from(data, 'base64'), ms });
}

/** A typed command, and its output. */
async function showTerminal(page: Page, command: string, output: string, ms: number): Promise<void> {
  const show = (text: string) =>
    page.evaluate(`document.querySelector('pre').replaceChildren(${JSON.stringify(text)})`);
  await page.setContent(
    '<body style="margin:0;background:#10201a"><pre style="margin:0;padding:24px;color:#e6efe9;font:14px/1.55 monospace;white-space:pre-wrap"></pre></body>',
  );
  for (const typed of [0.3, 0.7, 1]) {
    await show(`$ ${command.slice(0, Math.ceil(command.length * typed))}█`);
    await take(page, 250);
  }
  await show(`$ ${command}\n${output}`);
  await take(page, ms);
}

const mock = spawn(process.execPath, [...PROGRAM, 'mock', DOCUMENT, '--log', 'quiet', '--seed', '80'], {
  cwd: ROOT,
});
let started = '';
mock.stdout.on('data', (data: Buffer) => (started += data));
while (!/console +http/.test(started)) await once(mock.stdout, 'data');
const [, url = ''] = /base URL +(\S+)/.exec(started) ?? [];
const [, consoleUrl = ''] = /console +(\S+)/.exec(started) ?? [];

const browser = await launchChromium();
try {
  const view = { viewport: SIZE, colorScheme: 'light' as const };
  const { page: terminal } = await openConsole(browser, 'about:blank', view);
  await showTerminal(terminal, 'npx openapi-paddock mock openapi.yaml', started, 2500);

  const { page } = await openConsole(browser, consoleUrl, view);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: /^\/pets \d/ }).waitFor();
  await take(page, 1500);
  await page.getByRole('button', { name: 'Send the next request' }).click();
  const feed = page.getByRole('region', { name: 'Latest requests' });
  await feed.getByRole('link').nth(1).waitFor();
  await feed.scrollIntoViewIfNeeded();
  await take(page, 1800);
  await page.goto(`${consoleUrl}#/records`);
  await page.getByRole('table').waitFor();
  await take(page, 1800);
  await page.goto(`${consoleUrl}#/`);
  await page.getByRole('region', { name: 'Make it fail' }).scrollIntoViewIfNeeded();
  await page.getByLabel('Requests to').selectOption('listPets');
  await page.getByRole('button', { name: 'Answer 503' }).click();
  await page.getByRole('link', { name: '1 rule active' }).waitFor();
  await take(page, 1500);
  await fetch(`${url}/pets`, { headers: HEADERS });
  await fetch(`${url}/pets`, { method: 'POST', headers: HEADERS, body: '{"name":7,"status":"gone"}' });
  await page.goto(`${consoleUrl}#/requests`);
  await page.getByRole('option').filter({ hasText: '503' }).waitFor();
  await take(page, 1500);
  await page.getByRole('option').filter({ hasText: '400' }).click();
  await page.locator('mark').nth(1).waitFor();
  await take(page, 2200);

  // A service with a broken filter.
  const available = { id: 1, name: 'Rex', categoryId: 4, status: 'available' };
  const rule = {
    operation: 'listPets',
    match: { query: { status: 'sold' } },
    status: 200,
    body: [available],
  };
  await fetch(`${consoleUrl}answers`, { method: 'POST', headers: HEADERS, body: JSON.stringify(rule) });
  const env = { ...process.env, PADDOCK_API_KEY: 'paddock-dev-key', NO_COLOR: '1', COLUMNS: '110' };
  const checked = await new Promise<string>((resolve) =>
    execFile(process.execPath, [...PROGRAM, 'check', url, DOCUMENT], { cwd: ROOT, env }, (_, out) =>
      resolve(out),
    ),
  );
  const lines = stripVTControlCharacters(checked).split('\n').slice(0, 22).join('\n');
  await showTerminal(terminal, `npx openapi-paddock check ${url} openapi.yaml`, lines, 4000);
} finally {
  await browser.close();
  mock.kill();
}
const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
const moving = animation(frames);
writeFileSync(OUT, moving);
process.stdout.write(
  `${OUT}: ${frames.length} pictures, ${seconds} s, ${Math.round(moving.length / 1024)} KiB\n`,
);

/** An endless animation of pictures: https://developers.google.com/speed/webp/docs/riff_container */
function animation(frames: readonly Frame[]): Buffer {
  const size = [int24(SIZE.width - 1), int24(SIZE.height - 1)];
  const animated = 2;
  const parts = frames.map(({ picture, ms }) =>
    chunk('ANMF', int24(0), int24(0), ...size, int24(ms), Buffer.from([0]), bitstreamOf(picture)),
  );
  const head = chunk('VP8X', Buffer.from([animated, 0, 0, 0]), ...size);
  return chunk('RIFF', Buffer.from('WEBP'), head, chunk('ANIM', Buffer.alloc(6)), ...parts);
}

function chunk(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8, name);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function int24(number: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(number, 0, 3);
  return bytes;
}

/** The image data chunks of a still picture. */
function bitstreamOf(picture: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 12; at < picture.length; ) {
    const length = 8 + picture.readUInt32LE(at + 4);
    const end = at + length + (length % 2);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(picture.toString('latin1', at, at + 4)))
      chunks.push(picture.subarray(at, end));
    at = end;
  }
  return Buffer.concat(chunks);
}
