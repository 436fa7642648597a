import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { content, error, petStore, type ShopFault, wire } from '../shop-faults.ts';
import { mutants } from '../suspect.ts';

const retriedOnce = { ...petStore, options: { retries: 1 } };

/** Writes a response with a wrong Content-Length, and ends the connection. */
const contentLength = (difference: number): ShopFault => ({
  send({ status, headers, body }, { socket }) {
    const length = ['Content-Length', String(body.length + difference)] as const;
    const close = ['Connection', 'close'] as const;
    const lines = [...headers, length, close].map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`);
    socket?.end(Buffer.concat([head, body.subarray(0, body.length + Math.min(difference, 0))]));
  },
});

const hangUp: Behaviour['send'] = (_written, { socket }) => void socket?.destroy();
const hangUpOnCreate: Behaviour['send'] = (written, response, ask) =>
  (written.status === 201 ? hangUp : correct.send)(written, response, ask);

const always = (status: number): ShopFault => ({
  answer: async (_ask, { does }) => does.refuse(status, 'x'),
});

/** Without a whole response from any operation there is no verdict; without one from some it is incomplete. */
const lostResponses = mutants('wire', retriedOnce, 3, [
  ['length-too-great', 'the Content-Length is 10 too great, and the connection ends', contentLength(10)],
  ['hangs-up', 'every connection ends without a response', { send: hangUp }],
  ['all-503', 'every operation always gets 503', always(503)],
  ['create-hangs-up', 'the connection ends at each create', 4, { send: hangUpOnCreate }],
  ['read-503', 'one operation always gets 503', 4, { read: () => error(503) }],
]);

const uselessResponses = mutants('wire', petStore, 3, [
  ['length-too-small', 'the Content-Length is 10 too small', 'whole-json', contentLength(-10)],
  ['key-refused', 'every key is refused', { isKey: () => false }],
  ['not-found', 'no documented path exists', always(404)],
  ['xml', 'every response is XML', wire(content('application/xml', '<answer/>'))],
]);

export const connectionsMutants = [...lostResponses, ...uselessResponses];
