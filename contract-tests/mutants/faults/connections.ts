import type { LawName as Law } from '../../laws/law.ts';
import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

const sending = (
  name: string,
  says: string,
  laws: Law[],
  send: Behaviour['send'],
  exitCode: 1 | 3 | 4 = 1,
  options = {},
): Mutant => faultyShop(`wire-${name}`, says, laws, () => ({ send }), { exitCode, options });

/** The connection itself. What never gives a whole answer cannot be judged: no verdict, or an incomplete one. */
export const brokenConnections: readonly Mutant[] = [
  sending(
    'length-too-small',
    'the length is ten bytes too small',
    ['whole-json'],
    ({ status, headers, body }, { socket }) => {
      const lines = [...headers, ['Content-Length', String(body.length - 10)], ['Connection', 'close']].map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket?.end(
        Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), body.subarray(0, -10)]),
      );
    },
  ),
  sending(
    'length-too-great',
    'the length is ten bytes too great, and the connection ends',
    [],
    ({ status, headers, body }, { socket }) => {
      const lines = [...headers, ['Content-Length', String(body.length + 10)]].map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket?.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), body]));
    },
    3,
    { retries: 1 },
  ),
  sending(
    'hangs-up',
    'every connection ends without an answer',
    [],
    (_written, { socket }) => void socket?.destroy(),
    3,
    { retries: 1 },
  ),
  faultyShop(
    'wire-create-hangs-up',
    'the connection ends at each create',
    [],
    () => ({
      send: (written, response, ask) =>
        ask.method === 'POST' && written.status === 201
          ? void response.socket?.destroy()
          : correct.send(written, response, ask),
    }),
    { exitCode: 4, options: { retries: 1 } },
  ),
  faultyShop(
    'wire-read-503',
    'one operation always answers 503',
    [],
    () => ({
      read: () => ({ status: 503, body: { code: 'x', message: 'x', status: 503 } }),
    }),
    { exitCode: 4, options: { retries: 1 } },
  ),
  faultyShop(
    'wire-all-503',
    'all operations always answer 503',
    [],
    () => ({
      answer: async (_ask, { does }) => does.refuse(503, 'x'),
    }),
    { exitCode: 3, options: { retries: 1 } },
  ),
  faultyShop('wire-key-refused', 'no key is good', [], () => ({ isKey: () => false }), { exitCode: 3 }),
  faultyShop('wire-not-found', 'no documented path exists', ['status', 'unauthorised-first'], () => ({
    answer: async (_ask, { does }) => does.refuse(404, 'x'),
  })),
  faultyShop(
    'wire-xml',
    'every answer is XML',
    [],
    () => ({
      write: ({ status }) => ({
        status,
        headers: [['Content-Type', 'application/xml']],
        body: Buffer.from('<answer/>'),
      }),
    }),
    { exitCode: 3 },
  ),
];
