import type { Law } from '../../laws/law.ts';
import type { Answer, Ask, Behaviour } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import { isInt64 } from '../by-hand/exact-json.ts';
import { faultyShop, type Mutant } from '../suspect.ts';

/** A body of this kind is accepted. The record that comes of it is made to look right. */
const accepting = (name: string, says: string, accepts: (body: Record<string, unknown>) => boolean): Mutant =>
  faultyShop(`accepts-${name}`, says, 'invalid-refused', () => ({
    problemOf: (body) => (isObject(body) && accepts(body) ? undefined : correct.problemOf(body)),
    made: (sent, id) => {
      const { status } = sent;
      return {
        id,
        name: typeof sent.name === 'string' ? sent.name : 'Nobody',
        categoryId: isInt64(sent.categoryId) ? sent.categoryId : 1n,
        ...(typeof status === 'string' && ['available', 'pending', 'sold'].includes(status)
          ? { status }
          : {}),
      };
    },
  }));

/** A body that is nothing like a record is taken for one. */
const taking = (name: string, says: string, accepts: (ask: Ask) => boolean): Mutant =>
  faultyShop(`accepts-${name}`, says, 'invalid-refused', () => ({
    create(ask, shop) {
      if (!accepts(ask)) return correct.create(ask, shop);
      const pet = shop.does.made({ name: 'Nobody', categoryId: 1n }, shop.does.nextId(shop));
      shop.does.keep(shop, pet);
      return shop.does.created(pet, shop);
    },
  }));

const rest = ({ categoryId }: Record<string, unknown>) => isInt64(categoryId);
const named = ({ name }: Record<string, unknown>) => typeof name === 'string';
const text = ({ body }: Ask) => body.toString().trim();
const parsed = (ask: Ask) => {
  try {
    return JSON.parse(text(ask)) as unknown;
  } catch {
    return undefined;
  }
};

/** One kind of invalid input for each. */
export const acceptedAnyway: readonly Mutant[] = [
  accepting('missing-name', 'the name may be missing', (body) => body.name === undefined && rest(body)),
  accepting(
    'missing-category',
    'the categoryId may be missing',
    (body) => body.categoryId === undefined && named(body),
  ),
  accepting('name-number', 'a name may be a number', (body) => typeof body.name === 'bigint' && rest(body)),
  accepting(
    'name-boolean',
    'a name may be a boolean',
    (body) => typeof body.name === 'boolean' && rest(body),
  ),
  accepting('name-null', 'a name may be null', (body) => body.name === null && rest(body)),
  accepting('name-array', 'a name may be an array', (body) => Array.isArray(body.name) && rest(body)),
  accepting('name-object', 'a name may be an object', (body) => isObject(body.name) && rest(body)),
  accepting(
    'category-numeric-text',
    'a categoryId may be digits in a text',
    (body) => typeof body.categoryId === 'string' && /^-?\d+$/.test(body.categoryId) && named(body),
  ),
  accepting(
    'category-text',
    'a categoryId may be any text',
    (body) => typeof body.categoryId === 'string' && !/^-?\d+$/.test(body.categoryId) && named(body),
  ),
  accepting(
    'category-fraction',
    'a categoryId may be a fraction',
    (body) => typeof body.categoryId === 'number' && named(body),
  ),
  accepting(
    'category-boolean',
    'a categoryId may be a boolean',
    (body) => typeof body.categoryId === 'boolean' && named(body),
  ),
  accepting('category-null', 'a categoryId may be null', (body) => body.categoryId === null && named(body)),
  accepting(
    'category-array',
    'a categoryId may be an array',
    (body) => Array.isArray(body.categoryId) && named(body),
  ),
  accepting(
    'category-object',
    'a categoryId may be an object',
    (body) => isObject(body.categoryId) && named(body),
  ),
  accepting(
    'category-beyond-int64',
    'a categoryId may be beyond 64 bits',
    (body) => typeof body.categoryId === 'bigint' && !isInt64(body.categoryId) && named(body),
  ),
  accepting(
    'status-unknown',
    'a status may be any text',
    (body) => typeof body.status === 'string' && named(body) && rest(body),
  ),
  accepting(
    'status-upper-case',
    'the case of a status does not count',
    (body) =>
      ['AVAILABLE', 'PENDING', 'SOLD', 'Available', 'Pending', 'Sold'].includes(String(body.status)) &&
      typeof body.status === 'string',
  ),
  accepting(
    'status-empty',
    'a status may be an empty text',
    (body) => body.status === '' && named(body) && rest(body),
  ),
  accepting(
    'status-null',
    'a status may be null',
    (body) => body.status === null && named(body) && rest(body),
  ),
  accepting(
    'status-number',
    'a status may be a number',
    (body) => typeof body.status === 'bigint' && named(body) && rest(body),
  ),
  accepting(
    'status-boolean',
    'a status may be a boolean',
    (body) => typeof body.status === 'boolean' && named(body) && rest(body),
  ),
  accepting(
    'status-array',
    'a status may be an array',
    (body) => Array.isArray(body.status) && named(body) && rest(body),
  ),
  accepting('empty-object', 'a body may be an empty object', (body) => Object.keys(body).length === 0),
  accepting('anything', 'every object is a record', () => true),
  taking('empty-body', 'a create needs no body', (ask) => text(ask) === ''),
  taking('null-body', 'a body may be null', (ask) => text(ask) === 'null'),
  taking('array-body', 'a body may be an array', (ask) => Array.isArray(parsed(ask))),
  taking('text-body', 'a body may be a JSON text', (ask) => typeof parsed(ask) === 'string'),
  taking('number-body', 'a body may be a number', (ask) => typeof parsed(ask) === 'number'),
  taking(
    'broken-json',
    'JSON that does not parse is taken as empty',
    (ask) => text(ask) !== '' && parsed(ask) === undefined,
  ),
  taking('other-media-type', 'the media type of a body does not count', ({ headers }) =>
    /^text\/plain/.test(headers['content-type'] ?? ''),
  ),
];

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

const error = (status: number, more: Record<string, unknown> = {}): Answer => ({
  status,
  body: { code: 'x', message: 'x', status, ...more },
});

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
      create(ask, shop) {
        const answer = correct.create(ask, shop) as Answer;
        const sent = readBody(ask, shop.does);
        if (
          answer.status === 400 &&
          'body' in sent &&
          isObject(sent.body) &&
          typeof sent.body.name === 'string'
        )
          shop.does.keep(shop, { id: shop.does.nextId(shop), name: sent.body.name, categoryId: 1n });
        return answer;
      },
    }),
  ),
  faultyShop(
    'stores-refused-status',
    'a record with an unknown status is answered 400 and stored without it',
    'refused-leaves-nothing',
    () => ({
      problemOf: correct.problemOf,
      create(ask, shop) {
        const answer = correct.create(ask, shop) as Answer;
        const sent = readBody(ask, shop.does);
        if (
          answer.status === 400 &&
          'body' in sent &&
          isObject(sent.body) &&
          shop.does.problemOf({ ...sent.body, status: 'sold' }) === undefined
        )
          shop.does.keep(shop, {
            id: shop.does.nextId(shop),
            name: sent.body.name,
            categoryId: sent.body.categoryId,
          });
        return answer;
      },
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

/** Ordinary input is refused. */
const refusing = (
  name: string,
  says: string,
  refuses: (body: Record<string, unknown>, ask: Ask, count: number) => boolean,
  status = 400,
): Mutant =>
  faultyShop(
    `refuses-${name}`,
    says,
    ['status', 'filter', 'created-equals-sent', 'exact-integers', 'complete-list'],
    (): Partial<Behaviour> => {
      let count = 0;
      return {
        create(ask, shop) {
          const sent = readBody(ask, shop.does);
          if ('status' in sent || shop.does.problemOf(sent.body) !== undefined)
            return correct.create(ask, shop);
          count += 1;
          return refuses(sent.body as Record<string, unknown>, ask, count)
            ? error(status)
            : correct.create(ask, shop);
        },
      };
    },
  );

export const ordinaryRefused: readonly Mutant[] = [
  refusing('no-status', 'the optional status is needed', ({ status }) => status === undefined),
  refusing('any-status', 'a status must not be sent', ({ status }) => status !== undefined),
  refusing('sold', 'one status is refused', ({ status }) => status === 'sold'),
  refusing('pending-500', 'one status breaks the service', ({ status }) => status === 'pending', 500),
  refusing(
    'charset',
    'a charset in the media type is refused',
    (_, { headers }) => /charset/.test(headers['content-type'] ?? ''),
    415,
  ),
  refusing(
    'chunked',
    'a body in chunks is refused',
    (_, { headers }) => headers['transfer-encoding'] !== undefined,
    411,
  ),
  refusing('unicode', 'names beyond ASCII are refused', ({ name }) => /[^\x20-\x7e]/.test(String(name))),
  refusing(
    'emoji-500',
    'characters beyond the basic plane break the service',
    ({ name }) => /[\u{10000}-\u{10ffff}]/u.test(String(name)),
    500,
  ),
  refusing(
    'apostrophe-500',
    'an apostrophe breaks the service',
    ({ name }) => String(name).includes("'"),
    500,
  ),
  refusing('one-character', 'names of one character are refused', ({ name }) => String(name).length < 2),
  refusing(
    'longer-than-40',
    'names of more than 40 characters are refused',
    ({ name }) => String(name).length > 40,
  ),
  refusing('digits', 'names with digits are refused', ({ name }) => /\d/.test(String(name))),
  refusing('spaces', 'names with a space are refused', ({ name }) => String(name).includes(' ')),
  refusing(
    'long-500',
    'names of more than 200 characters break the service',
    ({ name }) => String(name).length > 200,
    500,
  ),
  refusing('empty-500', 'an empty name breaks the service', ({ name }) => name === '', 500),
  refusing(
    'big-category-500',
    'a category beyond 2^53 breaks the service',
    ({ categoryId }) => BigInt(categoryId as bigint) > 2n ** 53n,
    500,
  ),
  refusing(
    'negative-category-500',
    'a negative category breaks the service',
    ({ categoryId }) => BigInt(categoryId as bigint) < 0n,
    500,
  ),
  refusing('every-fifth', 'every fifth create fails', (_body, _ask, count) => count % 5 === 0, 500),
  refusing('sixth-and-later', 'no more than 5 records can be added', (_body, _ask, count) => count > 5, 409),
  faultyShop('refuses-equal-names', 'a name that is taken is refused', ['status', 'distinct-ids'], () => ({
    create(ask, shop) {
      const sent = readBody(ask, shop.does);
      const taken =
        'body' in sent &&
        isObject(sent.body) &&
        shop.pets.some(({ name }) => name === (sent.body as { name: unknown }).name);
      return taken ? error(409) : correct.create(ask, shop);
    },
  })),
];
