import type { Answer, Behaviour } from '../by-hand/behaviour.ts';
import { correct, isObject } from '../by-hand/correct.ts';
import { type Lookalike, otherShop } from '../suspect.ts';

const shop = (name: string, says: string, behaviour: Partial<Behaviour>): Lookalike =>
  otherShop(`other-${name}`, says, () => behaviour);

/** Refuses bodies that the document allows, and that are not ordinary. */
const stricter = (
  name: string,
  says: string,
  refuses: (body: Record<string, unknown>) => boolean,
): Lookalike =>
  shop(name, says, {
    problemOf: (body) =>
      correct.problemOf(body) ?? (isObject(body) && refuses(body) ? 'not here' : undefined),
  });

const text = (value: unknown) => String(value);

export const stricterBodies: readonly Lookalike[] = [
  stricter('strict-members', 'members that are not documented are refused, an id too', (body) =>
    Object.keys(body).some((name) => !['name', 'categoryId', 'status'].includes(name)),
  ),
  stricter('strict-id', 'an id from the client is refused', (body) => 'id' in body),
  stricter(
    'strict-length',
    'names of more than 64 characters are refused, and empty ones',
    ({ name }) => text(name).length > 64 || name === '',
  ),
  stricter(
    'strict-characters',
    'names with control characters, spaces at their ends or decomposed letters are refused',
    ({ name }) => /\p{Cc}/u.test(text(name)) || text(name) !== text(name).trim().normalize('NFC'),
  ),
  stricter(
    'strict-category',
    'categories below 1 and beyond 2^53 are refused',
    ({ categoryId }) => BigInt(categoryId as bigint) < 1n || BigInt(categoryId as bigint) > 2n ** 53n,
  ),
  shop('long-names-413', 'a long body is answered 413', {
    create: (ask, there) =>
      ask.body.length > 500 ? there.does.refuse(413, 'too long') : correct.create(ask, there),
  }),
  shop('unreadable-400', 'what is no JSON, by its type or by its text, is answered 400', {
    create(ask, there) {
      const answer = correct.create(ask, there) as Answer;
      return answer.status === 415 ? there.does.refuse(400, 'send JSON') : answer;
    },
  }),
  shop('unreadable-422', 'JSON that does not parse is answered 422', {
    create(ask, there) {
      const answer = correct.create(ask, there) as Answer;
      return (answer.body as { message?: string }).message === 'the body is no JSON'
        ? there.does.refuse(422, 'no JSON')
        : answer;
    },
  }),
  shop('typeless-400', 'a body without a media type is answered 400', {
    create: (ask, there) =>
      ask.headers['content-type'] ? correct.create(ask, there) : there.does.refuse(400, 'say what it is'),
  }),
];

const limits = (name: string, says: string, limitOf: Behaviour['limitOf']): Lookalike =>
  shop(name, says, { limitOf });
const asked = (body: string | null) => correct.limitOf(body);

const onBadStatus = (
  name: string,
  says: string,
  answer: (ask: Parameters<Behaviour['list']>[0], there: Parameters<Behaviour['list']>[1]) => Answer,
): Lookalike =>
  shop(name, says, {
    list: (ask, there) =>
      ['available', 'pending', 'sold', null].includes(ask.query.get('status'))
        ? correct.list(ask, there)
        : answer(ask, there),
  });

/** Nothing is said of the answer to a query that breaks the document. */
export const otherQueries: readonly Lookalike[] = [
  limits(
    'limit-clamped',
    'a limit out of range is taken as the nearest that is allowed',
    (limit) => asked(limit) ?? (Number(limit) > 100 ? 100 : Number(limit) < 1 ? 1 : 20),
  ),
  limits(
    'limit-ignored-when-bad',
    'a limit that breaks the document is taken as none',
    (limit) => asked(limit) ?? 20,
  ),
  limits('limit-cut', 'a fraction is cut off from a limit', (limit) =>
    asked(limit === null ? null : limit.replace(/\.\d+$/, '')),
  ),
  limits('limit-zero-is-none', 'a limit of 0 gives nothing', (limit) => (limit === '0' ? 0 : asked(limit))),
  onBadStatus('status-ignored-when-bad', 'an unknown status is taken as none', (ask, there) =>
    correct.list(
      { ...ask, query: new URLSearchParams([...ask.query].filter(([name]) => name !== 'status')) },
      there,
    ),
  ),
  onBadStatus('status-nothing-when-bad', 'an unknown status finds nothing', () => ({
    status: 200,
    body: [],
  })),
  onBadStatus('status-422-when-bad', 'an unknown status is answered 422', (_, there) =>
    there.does.refuse(422, 'status'),
  ),
  onBadStatus('status-404-when-bad', 'an unknown status is answered 404', (_, there) =>
    there.does.refuse(404, 'status'),
  ),
  shop('status-any-case', 'the case of a status filter does not count', {
    list: (ask, there) =>
      correct.list(
        {
          ...ask,
          query: new URLSearchParams(
            [...ask.query].map(
              ([name, value]) => [name, name === 'status' ? value.toLowerCase() : value] as [string, string],
            ),
          ),
        },
        there,
      ),
  }),
  shop('path-400', 'an id that is no int64 is answered 400', {
    read: (ask, there) =>
      there.does.idOf(decodeURIComponent(ask.path.slice(6))) === undefined
        ? there.does.refuse(400, 'no id')
        : correct.read(ask, there),
  }),
];

/** Nothing is said of other paths, other methods, or of the case of a scheme. */
export const otherDoors: readonly Lookalike[] = [
  shop('key-everywhere', 'paths that do not exist ask for a key, too', {
    answer: async (ask, there) => there.does.authenticate(ask, there) ?? correct.answer(ask, there),
  }),
  shop('scheme-case', 'the scheme is Bearer, and not bearer', {
    authenticate: (ask, there) =>
      /^bearer/.test(ask.headers.authorization ?? '')
        ? there.does.refuse(401, 'Bearer')
        : correct.authenticate(ask, there),
  }),
  shop('nothing-else', 'other methods are answered 501, other paths by a page of HTML', {
    answer: async (ask, there) =>
      ['GET', 'POST'].includes(ask.method) ? correct.answer(ask, there) : there.does.refuse(501, 'no'),
    write: (answer, ask) =>
      ask.path.startsWith('/pets')
        ? correct.write(answer, ask)
        : { status: 404, headers: [['Content-Type', 'text/html']], body: Buffer.from('<h1>no</h1>') },
  }),
];
