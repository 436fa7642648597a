import type { Written } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';
import { type Change, writing } from './writing.ts';

const onSuccess =
  (change: (written: Written) => Written): Change =>
  (written) =>
    written.status < 300 ? change(written) : written;

/** It fails now and then, whatever it is asked. */
const failsEvery = (turns: number, ordinal: string): Mutant =>
  faultyShop(
    `wire-every-${ordinal}-500`,
    `every ${ordinal} answer is a 500`,
    [
      'status',
      'unauthorised-first',
      'invalid-refused',
      'unknown-id',
      'created-can-be-read',
      'invalid-tolerated',
    ],
    () => {
      let count = 0;
      return {
        answer: async (ask, shop) =>
          ++count % turns === 0 ? shop.does.refuse(500, 'x') : correct.answer(ask, shop),
      };
    },
  );

/** The status is not that of the answer. */
export const untrueStatuses: readonly Mutant[] = [
  writing(
    'all-200',
    'every status is 200',
    ['unauthorised-first', 'invalid-refused', 'unknown-id', 'status'],
    (written) => ({ ...written, status: 200 }),
  ),
  writing('created-redirect', 'a create is sent to another path by 307', 'status', (written, _answer, ask) =>
    ask.method === 'POST' && written.status === 201
      ? { status: 307, headers: [['Location', '/v1/pets/']], body: Buffer.alloc(0) }
      : written,
  ),
  writing('list-redirect', 'the list is sent to another path by 301', 'status', (written, _answer, ask) =>
    ask.path === '/pets' && ask.method === 'GET' && written.status === 200
      ? { status: 301, headers: [['Location', '/v1/pets/']], body: Buffer.alloc(0) }
      : written,
  ),
  writing('read-redirect', 'a record is sent to another path by 308', 'status', (written, _answer, ask) =>
    ask.path !== '/pets' && written.status === 200
      ? { status: 308, headers: [['Location', `/v2${ask.path}`]], body: Buffer.alloc(0) }
      : written,
  ),
  writing(
    'success-as-299',
    'a success has a status of its own',
    'status',
    onSuccess((written) => ({ ...written, status: 299 })),
  ),
  failsEvery(10, 'tenth'),
  failsEvery(25, '25th'),
  faultyShop('wire-every-15th-cut', 'every 15th body is cut', 'whole-json', () => {
    let count = 0;
    return {
      write(answer, ask) {
        const written = correct.write(answer, ask);
        return ++count % 15 === 0 ? { ...written, body: written.body.subarray(0, -2) } : written;
      },
    };
  }),
];
