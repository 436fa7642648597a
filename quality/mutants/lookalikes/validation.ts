import type { Answer, Ask, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject } from '../by-hand/correct.ts';
import { type Data, lowerCase } from '../record-changes.ts';
import {
  around,
  content,
  dropQuery,
  error,
  isKnownStatus,
  petStore,
  respond,
  response,
  type ShopFault,
  wire,
} from '../shop-faults.ts';
import { lookalikes, using } from '../suspect.ts';

/** Refuses bodies that the document allows, and that are not ordinary. */
const refuse = (refuses: (name: string, categoryId: bigint, body: Data) => boolean): ShopFault => ({
  problemOf(body) {
    const problem = correct.problemOf(body);
    if (problem !== undefined || !isObject(body)) return problem;
    return refuses(String(body.name), body.categoryId as bigint, body) ? 'not here' : undefined;
  },
});

const hasOtherMembers = (body: Data) =>
  Object.keys(body).some((member) => !['name', 'categoryId', 'status'].includes(member));
const isUnusual = (name: string) => /\p{Cc}/u.test(name) || name !== name.trim().normalize('NFC');

const stricterBodies = lookalikes('other-strict', using(petStore, refuse), [
  ['members', 'undocumented members are refused, an id too', (...[, , body]) => hasOtherMembers(body)],
  ['id', 'an id from the client is refused', (...[, , body]) => 'id' in body],
  ['length', 'empty names and long names are refused', (name) => !name || name.length > 64],
  ['characters', 'names with controls, outer spaces or decomposed letters are refused', isUnusual],
  ['category', 'categories below 1 and beyond 2^53 are refused', (_, id) => id < 1n || id > 2n ** 53n],
]);

const limit = (limitOf: (text: string | null) => number | undefined): ShopFault => ({
  limitOf: (text) => limitOf(text) ?? correct.limitOf(text),
});
const { limitOf } = correct;
const clamp = (text: string | null) => (Number(text) > 100 ? 100 : Number(text) < 1 ? 1 : 20);

/** The document says nothing of the response to an invalid query. */
const otherLimits = lookalikes('other-limit', using(petStore, limit), [
  ['clamped', 'a limit out of range is clamped', (text) => limitOf(text) ?? clamp(text)],
  ['ignored-when-bad', 'an invalid limit is ignored', (text) => limitOf(text) ?? 20],
  ['cut', 'a fraction of a limit is truncated', (text) => limitOf(text?.replace(/\.\d+$/, '') ?? null)],
  ['zero-is-none', 'a limit of 0 gives nothing', (text) => (text === '0' ? 0 : undefined)],
]);

/** An unknown status gets another response. */
const unknownStatus = (respond: (ask: Ask, shop: Shop) => Answer): ShopFault => ({
  list: (ask, shop) =>
    isKnownStatus(ask.query.get('status')) ? correct.list(ask, shop) : respond(ask, shop),
});
const inLowerCase = (ask: Ask): Ask => {
  const others = [...dropQuery(ask, 'status').query];
  return { ...ask, query: new URLSearchParams([...others, ['status', lowerCase(ask.query.get('status'))]]) };
};

const otherFilters = lookalikes('other-status', using(petStore, unknownStatus), [
  ['ignored-when-bad', 'it is ignored', (ask, shop) => correct.list(dropQuery(ask, 'status'), shop)],
  ['nothing-when-bad', 'it matches nothing', () => ({ status: 200, body: [] })],
  ['422-when-bad', 'it gets 422', () => error(422)],
  ['404-when-bad', 'it gets 404', () => error(404)],
  ['any-case', 'the status filter is case-insensitive', (ask, shop) => correct.list(inLowerCase(ask), shop)],
]);

const isTypeless = ({ headers }: Ask) => !headers['content-type'];
const isUnreadable = ({ body }: Answer) => (body as { message?: string }).message === 'the body is no JSON';
const refuseUnreadable = around('create', (given) => (isUnreadable(given) ? error(422) : given));
const isNoId = ({ path }: Ask, { does }: Shop) => does.idOf(decodeURIComponent(path.slice(6))) === undefined;
const keyEverywhere: ShopFault = {
  answer: async (ask, shop) => shop.does.authenticate(ask, shop) ?? correct.answer(ask, shop),
};
const caseSensitiveScheme: ShopFault = {
  authenticate: (ask, shop) =>
    /^bearer/.test(ask.headers.authorization ?? '') ? error(401) : correct.authenticate(ask, shop),
};
const nothingElse: ShopFault = {
  answer: async (ask, shop) =>
    ['GET', 'POST'].includes(ask.method) ? correct.answer(ask, shop) : error(501),
  ...wire((_written, _given, { path }) =>
    path.startsWith('/pets') ? {} : { status: 404, ...content('text/html', '<h1>no</h1>') },
  ),
};

/** Nor does it say anything of other paths and methods, of invalid ids, or of the case of the scheme. */
const otherRefusals = lookalikes('other', petStore, [
  ['long-names-413', 'a long body gets 413', respond('create', ({ body }) => body.length > 500, error(413))],
  ['unreadable-400', 'what is not JSON, by type or by syntax, gets 400', response('create', 415, error(400))],
  ['unreadable-422', 'JSON that does not parse gets 422', refuseUnreadable],
  ['typeless-400', 'a body without a media type gets 400', respond('create', isTypeless, error(400))],
  ['path-400', 'an id that is no int64 gets 400', respond('read', isNoId, error(400))],
  ['key-everywhere', 'paths that do not exist need a key, too', keyEverywhere],
  ['scheme-case', 'the scheme Bearer is case-sensitive', caseSensitiveScheme],
  ['nothing-else', 'other methods get 501, other paths an HTML page', nothingElse],
]);

export const validationLookalikes = [...stricterBodies, ...otherLimits, ...otherFilters, ...otherRefusals];
