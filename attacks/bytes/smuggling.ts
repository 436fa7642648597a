import fc from 'fast-check';
import { complete, HOST, JSON_TYPE, KEY, pet } from './exchange.ts';

/** Where one reader sees a body, another sees a second request: none of these may ever be carried out unseen. */
const HIDDEN_BODY = pet('smuggled');
const HIDDEN = `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}${JSON_TYPE}Content-Length: ${HIDDEN_BODY.length}\r\n\r\n${HIDDEN_BODY}`;

const LENGTHS = [
  '0',
  '5',
  '+5',
  '-1',
  '0x5',
  '5,5',
  '5, 6',
  ' 5',
  '5 ',
  '',
  '05',
  '1e1',
  '99999999999999999999',
  '٥',
  '5;',
];
const CODINGS = [
  'chunked',
  'Chunked',
  'xchunked',
  'chunked, chunked',
  'identity',
  'gzip, chunked',
  'chunked, gzip',
  ' chunked',
  'chunked;q=1',
  '"chunked"',
  'chunked\t',
  '\x0bchunked',
  '',
];
const NAMES = [
  'Transfer-Encoding',
  'transfer-encoding',
  'Transfer-Encoding ',
  'Transfer\x20Encoding',
  'X:\r\nTransfer-Encoding',
];
const FOLDS = ['', '\r\n ', '\n', '\r'];

const lengthField = fc.constantFrom(...LENGTHS).map((length) => `Content-Length: ${length}\r\n`);
const codingField = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...FOLDS), fc.constantFrom(...CODINGS))
  .map(([name, fold, coding]) => `${name}: ${fold}${coding}\r\n`);

/** Two lengths, a length and chunks, and all that might be taken for either. */
export const smuggling = fc
  .tuple(
    fc.array(fc.oneof(lengthField, codingField), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(
      '',
      'abcde',
      '0\r\n\r\n',
      '5\r\nabcde\r\n0\r\n\r\n',
      '0\r\nX: y\r\n\r\n',
      '00000000000\r\n\r\n',
    ),
    fc.boolean(),
  )
  .map(([fields, body, hides]) => ({
    ...complete(
      `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}${JSON_TYPE}${fields.join('')}\r\n${body}${hides ? HIDDEN : ''}`,
    ),
    // Some of these wait for more than there is.
    complete: false,
    leaves: 'half-closed' as const,
  }));
