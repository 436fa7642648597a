import { type FileType, isFileType } from '../http/representations.ts';
import { drawPicture, xmlText } from '../pictures/draw-picture.ts';
import { pdfOf } from './pdf.ts';
import { SMALL_PICTURES } from './small-pictures.ts';
import { csvOf, type Table } from './table.ts';
import { xlsxOf } from './xlsx.ts';
import { zipOf } from './zip.ts';

/** What a file shows. */
export interface Shown {
  /** Of which pictures are made. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly table: Table;
}

type MakeFile = (shown: Shown) => string | Uint8Array;

const picture =
  (type: 'svg' | 'png'): MakeFile =>
  ({ key }) =>
    drawPicture({ kind: 'image', key, type, label: '', width: 320, height: 240 }).body;

const small = (type: keyof typeof SMALL_PICTURES) => (): Uint8Array =>
  Uint8Array.from(atob(SMALL_PICTURES[type]), (character) => character.charCodeAt(0));

/** A valid file of each media type whose form no schema says. */
const FILES: Readonly<Record<FileType, MakeFile>> = {
  'application/pdf': ({ title, text }) => pdfOf(title, text),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ({ table }) => xlsxOf(table),
  'application/x-zip-compressed': (shown) => archive(shown),
  'application/zip': (shown) => archive(shown),
  'image/gif': small('gif'),
  'image/jpeg': small('jpeg'),
  'image/jpg': small('jpeg'),
  'image/png': picture('png'),
  'image/svg+xml': picture('svg'),
  'image/webp': small('webp'),
  'text/csv': ({ table }) => csvOf(table),
  'text/html': ({ title, text }) => htmlOf(title, text),
  'text/plain': ({ title }) => title,
};

/** Undefined: nothing is known of the media type. */
export type SampleFile = (type: string, shown: Shown) => string | Uint8Array | undefined;

export const sampleFile: SampleFile = (type, shown) => (isFileType(type) ? FILES[type](shown) : undefined);

function archive({ title, text, table }: Shown): Uint8Array {
  return zipOf({ 'readme.txt': `${title}\n\n${text}\n`, 'data.csv': csvOf(table) });
}

function htmlOf(title: string, text: string): string {
  const [heading, body] = [xmlText(title), xmlText(text)];
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${heading}</title>\n<h1>${heading}</h1>\n<p>${body}</p>\n</html>\n`;
}
