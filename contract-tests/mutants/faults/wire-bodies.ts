import type { LawName as Law } from '../../laws/law.ts';
import type { Mutant } from '../suspect.ts';
import { writing } from './writing.ts';

const bytes = (
  name: string,
  says: string,
  change: (body: Buffer) => Buffer | string,
  laws: Law | Law[] = 'whole-json',
): Mutant =>
  writing(name, says, laws, (written) => ({ ...written, body: Buffer.from(change(written.body) as Buffer) }));

/** The body is not the JSON that it is called. */
export const untrueBodies: readonly Mutant[] = [
  bytes('cut', 'the last character is missing', (body) => body.subarray(0, -1)),
  bytes('half', 'half of the body is missing', (body) => body.subarray(0, body.length / 2)),
  bytes('mark', 'a byte-order mark stands before the JSON', (body) =>
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  ),
  bytes('guard', 'a guard against inclusion stands before the JSON', (body) => `)]}',\n${body}`),
  bytes('trailing-text', 'a remark follows the JSON', (body) => `${body}\n<!-- served in 3 ms -->`),
  bytes('twice', 'the body is sent twice', (body) => Buffer.concat([body, body])),
  bytes('trailing-comma', 'a comma stands before the last bracket', (body) =>
    body.toString().replace(/([\]}])$/, ',$1'),
  ),
  bytes('single-quotes', 'texts stand in single quotes', (body) => body.toString().replaceAll('"', "'")),
  bytes('comment', 'a comment stands in the JSON', (body) => `/* ok */ ${body}`),
  bytes('nan', 'an integer is written as NaN', (body) => body.toString().replace(/:\d+/, ':NaN')),
  bytes('callback', 'the JSON is wrapped in a call', (body) => `callback(${body})`),
  bytes('lines', 'records stand in lines of their own, without a list', (body) =>
    body.toString().startsWith('[') ? body.toString().slice(1, -1).replaceAll('},{', '}\n{') : body,
  ),
  bytes('empty', 'every body is empty', () => '', ['whole-json']),
  bytes(
    'latin-1',
    'bodies are Latin-1',
    (body) => Buffer.from(body.toString().replace(/[\u0100-\u{10ffff}]/gu, '?'), 'latin1'),
    ['encoding', 'created-equals-sent'],
  ),
  bytes('utf-16', 'bodies are UTF-16', (body) => Buffer.from(body.toString(), 'utf16le'), [
    'encoding',
    'whole-json',
  ]),
  bytes('control', 'a raw tab stands in a text', (body) => body.toString().replace(/:"/, ':"\t')),
  writing('cut-after-2000', 'long bodies are cut after 2000 bytes', 'whole-json', (written) => ({
    ...written,
    body: written.body.subarray(0, 2000),
  })),
  writing('created-cut', 'only the answer to a create is cut', 'whole-json', (written) =>
    written.status === 201 ? { ...written, body: written.body.subarray(0, -1) } : written,
  ),
  writing(
    'ids-as-doubles',
    'integers are written as fractions beyond 2^53',
    ['exact-integers', 'schema', 'created-equals-sent'],
    (written) => ({
      ...written,
      body: Buffer.from(
        written.body.toString().replace(/:(-?\d{16,})/g, (_, digits) => `:${Number(digits)}`),
      ),
    }),
  ),
  writing(
    'exponents',
    'large integers are written with an exponent, and lose digits',
    ['exact-integers', 'schema', 'created-equals-sent'],
    (written) => ({
      ...written,
      body: Buffer.from(
        written.body.toString().replace(/:(\d{16,})/g, (_, digits) => `:${Number(digits).toExponential(10)}`),
      ),
    }),
  ),
];
