import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ReadAttachment, readEntry } from './read-entry.ts';
import type { HarProblem, RecordedExchange } from './recorded-exchange.ts';
import { createEntryScanner, noEntries, openSource, type ScannedEntry } from './scan-entries.ts';

export interface HarOptions {
  /** The name of the file in messages. Default: its path, or `standard input` for a stream. */
  readonly name?: string | undefined;
  /** Maximum size of an entry, and of an unpacked body, in bytes. Default: 64 MiB. */
  readonly maxEntry?: number | undefined;
}

const LARGEST_ENTRY = 2 ** 26;

/**
 * Reads the exchanges of a HAR 1.2 in file order, from a browser, Playwright, mitmproxy or a run of the suite. It holds
 * one entry at a time, so that a file may have any size.
 * @param source a path, or the bytes of a file, which may be compressed with gzip or zlib
 * @returns exchanges, and problems for invalid entries: one malformed entry does not hide later ones
 * @throws HarError if it is no HAR, or cannot be read
 * @example
 * ```ts
 * for await (const item of readHar('traffic.har')) {
 *   if ('problem' in item) console.error(`${item.position}: ${item.message}`);
 *   else console.log(item.request.method, item.request.url.href, item.response?.status);
 * }
 * ```
 */
export async function* readHar(
  source: string | AsyncIterable<Uint8Array | string>,
  options: HarOptions = {},
): AsyncIterable<RecordedExchange | HarProblem> {
  const { name = typeof source === 'string' ? source : 'standard input', maxEntry = LARGEST_ENTRY } = options;
  const readAttachment = attachmentsBeside(source, maxEntry);
  const read = (entry: ScannedEntry) => readScanned(entry, readAttachment, maxEntry);
  const scanner = createEntryScanner(maxEntry);
  let count = 0;
  for await (const chunk of openSource(source, name)) {
    for (const entry of scanner.write(chunk)) {
      count++;
      yield read(entry);
    }
  }
  let isToldCut = false;
  for (const entry of scanner.end()) {
    count++;
    const item = read(entry);
    isToldCut = 'problem' in item && item.problem === 'cut-off';
    yield item;
  }
  if (!scanner.hasEntries) throw noEntries(name);
  if (scanner.isComplete || isToldCut) return;
  const position = count === 0 ? 'the beginning' : `entry ${count}`;
  yield { problem: 'cut-off', position, line: scanner.line, message: 'the file ends after it, unfinished' };
}

function readScanned(
  { index, line, bytes, isCut }: ScannedEntry,
  readAttachment: ReadAttachment,
  maxEntry: number,
): RecordedExchange | HarProblem {
  const place = { position: `entry ${index}`, line };
  const size = `${Math.floor(maxEntry / 2 ** 20)} MiB`;
  if (!bytes) return { problem: 'too-large', ...place, message: `it is larger than ${size}` };
  let entry: unknown;
  try {
    entry = JSON.parse(bytes.toString());
  } catch {
    if (isCut) return { problem: 'cut-off', ...place, message: 'the file ends within it' };
    return { problem: 'broken-json', ...place, message: 'it is no JSON' };
  }
  const exchange = readEntry(entry, place, readAttachment, maxEntry);
  return 'problem' in exchange ? { ...exchange, ...place } : exchange;
}

/** The SHA-1 of a body, with the extension of its type: other files beside a HAR have other names. */
const ATTACHMENT = /^[0-9a-f]{40}(?:\.[\w.-]{1,60})?$/;

/** Playwright writes bodies to files beside the HAR that are named by their digest. No other file is read. */
function attachmentsBeside(source: unknown, maxSize: number): ReadAttachment {
  return (name) => {
    if (typeof source !== 'string' || !ATTACHMENT.test(name)) return undefined;
    const path = join(dirname(source), name);
    try {
      const stats = lstatSync(path);
      // A link may lead to any file, and a pipe may never end.
      return stats.isFile() && stats.size <= maxSize ? readFileSync(path) : undefined;
    } catch {
      return undefined;
    }
  };
}
