import type { LawName as Law } from '../../laws/law.ts';
import type { Answer } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';
import { error } from './error-answer.ts';

/** What is answered where there is no such record. */
const missing = (name: string, says: string, answer: Answer, laws: Law | Law[] = 'unknown-id'): Mutant =>
  faultyShop(`missing-${name}`, says, laws, () => ({
    read(ask, shop) {
      const given = correct.read(ask, shop);
      return given.status === 404 ? answer : given;
    },
  }));

export const wronglyMissing: readonly Mutant[] = [
  missing('200-null', 'an unknown id is answered 200 null', { status: 200, body: null }),
  missing('200-object', 'an unknown id is answered 200 {}', { status: 200, body: {} }),
  missing('200-array', 'an unknown id is answered 200 []', { status: 200, body: [] }),
  missing('200-error', 'an unknown id is answered 200 with an error body', error(200)),
  missing('200-empty', 'an unknown id is answered 200 without a body', { status: 200 }),
  missing('204', 'an unknown id is answered 204', { status: 204 }),
  missing('400', 'an unknown id is answered 400', error(400)),
  missing('403', 'an unknown id is answered 403', error(403)),
  missing('410', 'an unknown id is answered 410', error(410)),
  missing('500', 'an unknown id breaks the service', error(500)),
  missing('501', 'an unknown id is answered 501', error(501)),
  missing('302', 'an unknown id is answered by a redirect to the list', {
    status: 302,
    headers: { Location: '/v1/pets' },
  }),
  missing('body-status', 'the 404 body says 400', error(404, { status: 400 }), ['schema', 'error-status']),
  missing('body-status-text', 'the status in the 404 body is a text', error(404, { status: '404' }), [
    'schema',
    'error-status',
  ]),
  missing('without-message', 'the 404 body lacks its message', error(404, { message: undefined }), 'schema'),
  missing('without-code', 'the 404 body lacks its code', error(404, { code: undefined }), 'schema'),
  missing('message-null', 'the message in the 404 body is null', error(404, { message: null }), 'schema'),
  missing('detail', 'the 404 body is { detail }', { status: 404, body: { detail: 'Not found' } }, 'schema'),
  missing('without-body', 'a 404 has no body', { status: 404 }, ['content-type', 'whole-json']),
  faultyShop('missing-html', 'a 404 is a page of HTML', 'content-type', () => ({
    write: (answer, ask) =>
      answer.status === 404
        ? { status: 404, headers: [['Content-Type', 'text/html']], body: Buffer.from('<h1>404</h1>') }
        : correct.write(answer, ask),
  })),
];
