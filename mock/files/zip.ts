import { concat } from '#spec';
import { crc32 } from '../pictures/checksums.ts';

const ENCODER = new TextEncoder();

/** 1980-01-01, the first day of the format: the same bytes every day. */
const DAY = 0x21;

/** Names are in UTF-8. */
const FLAGS = 0x800;

/** An archive of texts by path, stored as they are (APPNOTE 6.3.10 §4.3). */
export function zipOf(texts: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(texts)) {
    const [name, data] = [ENCODER.encode(path), ENCODER.encode(text)];
    const sizes = [crc32(data), data.length, data.length];
    // The version that reads it, flags, stored, time and day.
    const common = [short(20, FLAGS, 0, 0, DAY), long(...sizes), short(name.length, 0)];
    const file = concat([long(0x04034b50), ...common, name, data]);
    const place = [short(0, 0, 0), long(0, at)];
    directory.push(concat([long(0x02014b50), short(20), ...common, ...place, name]));
    files.push(file);
    at += file.length;
  }
  const index = concat(directory);
  const end = [long(0x06054b50), short(0, 0, files.length, files.length), long(index.length, at), short(0)];
  return concat([...files, index, ...end]);
}

function short(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value & 255, value >>> 8]));
}

function long(...values: readonly number[]): Uint8Array {
  return concat(values.map((value) => short(value & 0xffff, value >>> 16)));
}
