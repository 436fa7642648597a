import type { LawName as Law } from '../../laws/law.ts';
import type { Answer, Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import { faultyShop, type MakeBehaviour, type Mutant } from '../suspect.ts';

const refusal = (
  name: string,
  says: string,
  laws: Law | Law[],
  change: (refused: Answer, ask: Ask) => Answer,
): Mutant =>
  faultyShop(`auth-${name}`, says, laws, () => ({
    authenticate(ask, shop) {
      const refused = correct.authenticate(ask, shop);
      return refused && change(refused, ask);
    },
  }));

const body = (status: unknown = 401) => ({ code: 'unauthorized', message: 'a key is needed', status });

/** The stranger is kept out, but not told so as documented. */
export const wrongRefusals: readonly Mutant[] = [
  refusal('403', 'a refusal is 403', 'unauthorised-first', () => ({ status: 403, body: body(403) })),
  refusal(
    '403-wrong-key',
    'a wrong key is answered 403, a missing one 401',
    'unauthorised-first',
    (refused, { headers }) =>
      headers.authorization === undefined ? refused : { status: 403, body: body(403) },
  ),
  refusal(
    '403-missing-key',
    'a missing key is answered 403, a wrong one 401',
    'unauthorised-first',
    (refused, { headers }) =>
      headers.authorization !== undefined ? refused : { status: 403, body: body(403) },
  ),
  refusal(
    '400-malformed',
    'another scheme than Bearer is answered 400',
    'unauthorised-first',
    (refused, { headers }) =>
      /^bearer /i.test(headers.authorization ?? 'bearer ') ? refused : { status: 400, body: body(400) },
  ),
  refusal('404', 'strangers are told that there is nothing', 'unauthorised-first', () => ({
    status: 404,
    body: body(404),
  })),
  refusal('200', 'the refusal is a 200 with an error body', 'unauthorised-first', () => ({
    status: 200,
    body: body(),
  })),
  refusal('redirect', 'strangers are sent to a login page', 'unauthorised-first', () => ({
    status: 302,
    headers: { Location: '/login' },
  })),
  refusal(
    '500-no-scheme',
    'a header without a space breaks the service',
    'unauthorised-first',
    (refused, { headers }) =>
      /^\S+$/.test(headers.authorization ?? '') ? { status: 500, body: body(500) } : refused,
  ),
  refusal('empty-list', 'strangers see an empty list', 'unauthorised-first', (refused, { method, path }) =>
    method === 'GET' && path === '/pets' ? { status: 200, body: [] } : refused,
  ),
  refusal('body-status', 'the 401 body says 403', ['schema', 'error-status'], () => ({
    status: 401,
    body: body(403),
  })),
  refusal('body-status-text', 'the status in the 401 body is a text', ['schema', 'error-status'], () => ({
    status: 401,
    body: body('401'),
  })),
  refusal('body-without-code', 'the 401 body lacks its code', 'schema', () => ({
    status: 401,
    body: { message: 'no', status: 401 },
  })),
  refusal('body-without-message', 'the 401 body lacks its message', 'schema', () => ({
    status: 401,
    body: { code: 'no', status: 401 },
  })),
  refusal('body-without-status', 'the 401 body lacks its status', 'schema', () => ({
    status: 401,
    body: { code: 'no', message: 'no' },
  })),
  refusal('body-numeric-code', 'the code in the 401 body is a number', 'schema', () => ({
    status: 401,
    body: { ...body(), code: 401n },
  })),
  refusal('body-wrapped', 'the 401 body is wrapped in "error"', 'schema', () => ({
    status: 401,
    body: { error: body() },
  })),
  refusal('body-text', 'the 401 body is a JSON text', 'schema', () => ({
    status: 401,
    body: 'unauthorized',
  })),
  refusal('body-empty', 'the 401 has no body', ['content-type', 'whole-json'], () => ({ status: 401 })),
  faultyShop('auth-html', 'the 401 is a page of HTML', 'content-type', () => ({
    write: (answer, ask) =>
      answer.status === 401
        ? {
            status: 401,
            headers: [['Content-Type', 'text/html']],
            body: Buffer.from('<h1>Unauthorized</h1>'),
          }
        : correct.write(answer, ask),
  })),
  faultyShop('auth-html-as-json', 'the 401 is HTML that calls itself JSON', 'whole-json', () => ({
    write: (answer, ask) =>
      answer.status === 401
        ? {
            status: 401,
            headers: [['Content-Type', 'application/json']],
            body: Buffer.from('<h1>Unauthorized</h1>'),
          }
        : correct.write(answer, ask),
  })),
  faultyShop('auth-one-wrong-body', 'only the read operation has a wrong 401 body', 'schema', () => ({
    authenticate(ask, shop) {
      const refused = correct.authenticate(ask, shop);
      return refused && ask.path !== '/pets' ? { status: 401, body: { error: 'no' } } : refused;
    },
  })),
  faultyShop(
    'auth-good-key-refused',
    'every ninth good key is refused',
    ['status', 'invalid-refused', 'unknown-id', 'created-can-be-read'],
    () => {
      let count = 0;
      return {
        authenticate(ask, shop) {
          const refused = correct.authenticate(ask, shop);
          count += refused ? 0 : 1;
          return refused ?? (count % 9 === 0 ? shop.does.refuse(401, 'no') : undefined);
        },
      };
    },
  ),
];

/** Does what the shop does for whoever asks, and asks for the key only then. */
const late = (name: string, says: string, first: (ask: Ask, shop: Shop) => Answer | undefined): Mutant =>
  faultyShop(
    `auth-late-${name}`,
    says,
    'unauthorised-first',
    (): Partial<Behaviour> => ({
      authenticate: (ask, shop) => first(ask, shop) ?? correct.authenticate(ask, shop),
    }),
  );

/** Strangers learn what exists and what is checked. */
export const lateRefusals: readonly Mutant[] = [
  late('after-body', 'an invalid body is answered 400 before the key is looked at', (ask, { does }) => {
    if (ask.method !== 'POST') return undefined;
    const sent = readBody(ask, does);
    if ('status' in sent) return undefined;
    const problem = does.problemOf(sent.body);
    return problem === undefined ? undefined : does.refuse(400, problem);
  }),
  late('after-parsing', 'broken JSON is answered 400 before the key is looked at', (ask, { does }) => {
    const sent = ask.method === 'POST' && ask.body.length > 0 ? readBody(ask, does) : {};
    return 'status' in sent && sent.status === 400 ? (sent as Answer) : undefined;
  }),
  late(
    'after-media-type',
    'another media type is answered 415 before the key is looked at',
    (ask, { does }) =>
      ask.method === 'POST' && !/json/.test(ask.headers['content-type'] ?? '')
        ? does.refuse(415, 'send JSON')
        : undefined,
  ),
  late('after-empty-body', 'an empty body is answered 400 before the key is looked at', (ask, { does }) =>
    ask.method === 'POST' && ask.body.length === 0 ? does.refuse(400, 'send a body') : undefined,
  ),
  late('after-limit', 'a limit out of range is answered 400 before the key is looked at', (ask, { does }) =>
    does.limitOf(ask.query.get('limit')) === undefined ? does.refuse(400, 'limit') : undefined,
  ),
  late('after-filter', 'an unknown status is answered 400 before the key is looked at', (ask, { does }) =>
    ['available', 'pending', 'sold', null].includes(ask.query.get('status'))
      ? undefined
      : does.refuse(400, 'status'),
  ),
  late('after-look-up', 'an unknown id is answered 404 before the key is looked at', (ask, shop) => {
    const answer = ask.path === '/pets' ? undefined : shop.does.read(ask, shop);
    return answer?.status === 404 ? answer : undefined;
  }),
  late('after-id', 'an id that is no number is answered 404 before the key is looked at', (ask, { does }) =>
    ask.path === '/pets' || /^\/pets\/-?\d+$/.test(ask.path) ? undefined : does.refuse(404, 'no'),
  ),
];

const leaking: MakeBehaviour = () => ({
  authenticate(ask, shop) {
    const refused = correct.authenticate(ask, shop);
    const sent = refused && ask.method === 'POST' ? readBody(ask, shop.does) : undefined;
    if (sent && 'body' in sent && isObject(sent.body) && shop.does.problemOf(sent.body) === undefined)
      shop.does.keep(shop, shop.does.made(sent.body, shop.does.nextId(shop)));
    return refused;
  },
});

export const unauthorisedDeeds: readonly Mutant[] = [
  faultyShop(
    'auth-stored-anyway',
    'a create without a key is answered 401 and carried out',
    'refused-leaves-nothing',
    leaking,
  ),
];
