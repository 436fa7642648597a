import type { LawName as Law } from '../../laws/law.ts';
import type { Answer, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';
import { error } from './error-answer.ts';

const wrongly = (
  name: string,
  says: string,
  refusal: (message: string) => Answer,
  laws: Law | Law[] = 'invalid-refused',
): Mutant =>
  faultyShop(`refuses-${name}`, says, laws, () => ({
    create(ask, shop) {
      const answer = correct.create(ask, shop) as Answer;
      return answer.status === 400 ? refusal(String((answer.body as { message: string }).message)) : answer;
    },
  }));

/** A create whose refused record is looked at once more. */
const afterRefusal =
  (keep: (sent: Readonly<Record<string, unknown>>, shop: Shop) => void): Behaviour['create'] =>
  (ask, shop) => {
    const answer = correct.create(ask, shop) as Answer;
    const sent = readBody(ask, shop.does);
    if (answer.status === 400 && 'body' in sent && isObject(sent.body)) keep(sent.body, shop);
    return answer;
  };

/** Invalid input is refused, but not as documented. */
export const wronglyRefused: readonly Mutant[] = [
  wrongly('with-422', 'invalid input is answered 422', () => error(422)),
  wrongly('with-500', 'invalid input breaks the service', () => error(500)),
  wrongly('with-404', 'invalid input is answered 404', () => error(404)),
  wrongly('with-409', 'invalid input is answered 409', () => error(409)),
  wrongly('with-200', 'invalid input is answered 200 with an error body', () => error(200)),
  wrongly('with-201', 'invalid input is answered 201 with an error body', () => error(201)),
  wrongly('with-body-status', 'the 400 body says 422', () => error(400, { status: 422 }), [
    'schema',
    'error-status',
  ]),
  wrongly('without-code', 'the 400 body lacks its code', () => error(400, { code: undefined }), 'schema'),
  wrongly(
    'without-message',
    'the 400 body lacks its message',
    () => error(400, { message: undefined }),
    'schema',
  ),
  wrongly(
    'with-message-list',
    'the message in the 400 body is an array',
    () => error(400, { message: ['x'] }),
    'schema',
  ),
  wrongly(
    'with-problem',
    'the 400 body is a problem of RFC 9457',
    () => ({ status: 400, body: { type: 'about:blank', title: 'x', status: 400 } }),
    'schema',
  ),
  wrongly('with-nothing', 'a 400 has no body', () => ({ status: 400 }), ['content-type', 'whole-json']),
  wrongly('type-errors-with-422', 'wrong types are answered 422, missing members 400', (message) =>
    message.includes('text') ? error(422) : error(400),
  ),
  wrongly('enum-with-500', 'an unknown status breaks the service', (message) =>
    message.startsWith('status') ? error(500) : error(400),
  ),
  wrongly('parsing-with-500', 'JSON that does not parse breaks the service', (message) =>
    message.includes('no JSON') ? error(500) : error(400),
  ),
  wrongly('no-object-with-500', 'a body that is no object breaks the service', (message) =>
    message.includes('no object') ? error(500) : error(400),
  ),
  wrongly('empty-with-411', 'an empty body is answered 411', (message) =>
    message === 'a body is needed' ? error(411) : error(400),
  ),
  wrongly('empty-with-500', 'an empty body breaks the service', (message) =>
    message === 'a body is needed' ? error(500) : error(400),
  ),
  faultyShop(
    'refuses-media-type-with-500',
    'another media type breaks the service',
    'invalid-refused',
    () => ({
      create: (ask, shop) =>
        /^text\/plain/.test(ask.headers['content-type'] ?? '') ? error(500) : correct.create(ask, shop),
    }),
  ),
  faultyShop('refuses-with-html', 'a 400 is a page of HTML', 'content-type', () => ({
    write: (answer, ask) =>
      answer.status === 400
        ? { status: 400, headers: [['Content-Type', 'text/html']], body: Buffer.from('<h1>no</h1>') }
        : correct.write(answer, ask),
  })),
  faultyShop('refuses-with-text', 'a 400 is plain text', 'content-type', () => ({
    write: (answer, ask) =>
      answer.status === 400
        ? { status: 400, headers: [['Content-Type', 'text/plain']], body: Buffer.from('no') }
        : correct.write(answer, ask),
  })),
  faultyShop(
    'stores-refused',
    'an invalid record is answered 400 and stored',
    'refused-leaves-nothing',
    () => ({
      create: afterRefusal(({ name }, shop) => {
        if (typeof name === 'string')
          shop.does.keep(shop, { id: shop.does.nextId(shop), name, categoryId: 1n });
      }),
    }),
  ),
  faultyShop(
    'stores-refused-status',
    'a record with an unknown status is answered 400 and stored without it',
    'refused-leaves-nothing',
    () => ({
      problemOf: correct.problemOf,
      create: afterRefusal((sent, shop) => {
        if (shop.does.problemOf({ ...sent, status: 'sold' }) === undefined)
          shop.does.keep(shop, {
            id: shop.does.nextId(shop),
            name: sent.name,
            categoryId: sent.categoryId,
          });
      }),
    }),
  ),
  faultyShop(
    'refused-breaks-next',
    'after an invalid body the next create fails',
    ['status', 'created-can-be-read'],
    () => {
      let broken = false;
      return {
        create(ask, shop) {
          const answer = broken ? error(500) : (correct.create(ask, shop) as Answer);
          broken = answer.status === 400;
          return answer;
        },
      };
    },
  ),
];
