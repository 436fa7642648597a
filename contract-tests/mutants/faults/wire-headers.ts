import { gzipSync } from 'node:zlib';
import type { LawName as Law } from '../../laws/law.ts';
import type { Mutant } from '../suspect.ts';
import { writing } from './writing.ts';

const typed = (name: string, says: string, type: string): Mutant =>
  writing(name, says, 'content-type', (written) => ({ ...written, headers: [['Content-Type', type]] }));

const header = (
  name: string,
  says: string,
  field: [string, string],
  laws: Law | Law[] = 'encoding',
): Mutant => writing(name, says, laws, (written) => ({ ...written, headers: [...written.headers, field] }));

/** The headers say of the body what is not so. */
export const untrueHeaders: readonly Mutant[] = [
  typed('text-html', 'every body is called HTML', 'text/html'),
  typed('text-plain', 'every body is called plain text', 'text/plain; charset=utf-8'),
  typed('octet-stream', 'every body is called a stream of bytes', 'application/octet-stream'),
  typed('text-json', 'every body is called text/json', 'text/json'),
  typed('vendor-json', 'every body has a media type that is not documented', 'application/vnd.shop+json'),
  typed('two-types', 'every body has two media types', 'application/json, text/html'),
  typed('garbled-type', 'the media type is no media type', 'json'),
  writing('problem-type', 'errors have a media type that is not documented', 'content-type', (written) =>
    written.status < 400 ? written : { ...written, headers: [['Content-Type', 'application/problem+json']] },
  ),
  writing('no-type', 'no answer has a media type', 'content-type', (written) => ({
    ...written,
    headers: [],
  })),
  writing('no-type-on-errors', 'errors have no media type', 'content-type', (written) =>
    written.status < 400 ? written : { ...written, headers: [] },
  ),
  writing('created-as-text', 'a created record is called plain text', 'content-type', (written) =>
    written.status === 201 ? { ...written, headers: [['Content-Type', 'text/plain']] } : written,
  ),
  writing('xml-list', 'only the list is XML', 'content-type', (written, { body }) =>
    Array.isArray(body)
      ? { ...written, headers: [['Content-Type', 'application/xml']], body: Buffer.from('<pets/>') }
      : written,
  ),
  header('gzip-untrue', 'a plain body is called gzip', ['Content-Encoding', 'gzip']),
  header('br-untrue', 'a plain body is called br', ['Content-Encoding', 'br']),
  header('unknown-encoding', 'the encoding of the body is none that exists', ['Content-Encoding', 'utf-8']),
  writing('gzip-unsaid', 'a body is gzip, and nothing says so', ['encoding', 'whole-json'], (written) => ({
    ...written,
    body: gzipSync(written.body),
  })),
  writing('gzip-cut', 'a body of gzip is cut off', 'encoding', (written) => ({
    ...written,
    headers: [...written.headers, ['Content-Encoding', 'gzip']],
    body: gzipSync(written.body).subarray(0, -6),
  })),
  writing(
    'gzip-twice',
    'a body is packed twice and called so once',
    ['encoding', 'whole-json'],
    (written) => ({
      ...written,
      headers: [...written.headers, ['Content-Encoding', 'gzip']],
      body: gzipSync(gzipSync(written.body)),
    }),
  ),
];
