import type { Answer, Ask, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import type { Data } from '../record-changes.ts';
import {
  around,
  content,
  error,
  petStore,
  type ResponseChange,
  respond,
  response,
  type ShopFault,
  wireIf,
} from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const on400 = (change: ResponseChange) => response('create', 400, change);

/** Replaces only refusals with this message. */
const ofMessage =
  (pattern: RegExp, instead: Answer): ResponseChange =>
  (given) =>
    pattern.test((given.body as { message: string }).message) ? instead : given;

const PROBLEM = { status: 400, body: { type: 'about:blank', title: 'x', status: 400 } };

/** Invalid bodies are refused, but not as documented. */
const wrongRefusalsOfBodies = mutants('refuses', using(petStore, on400), 'invalid-refused', [
  ['with-422', 'invalid input gets 422', error(422)],
  ['with-500', 'invalid input gets 500', error(500)],
  ['with-404', 'invalid input gets 404', error(404)],
  ['with-409', 'invalid input gets 409', error(409)],
  ['with-200', 'invalid input gets 200 with an error body', error(200)],
  ['with-201', 'invalid input gets 201 with an error body', error(201)],
  ['with-body-status', 'the 400 body says 422', ['schema', 'error-status'], error(400, { status: 422 })],
  ['without-code', 'the 400 body lacks its code', 'schema', error(400, { code: undefined })],
  ['without-message', 'the 400 body lacks its message', 'schema', error(400, { message: undefined })],
  ['with-message-list', 'the message in the 400 body is an array', 'schema', error(400, { message: ['x'] })],
  ['with-problem', 'the 400 body is a problem of RFC 9457', 'schema', PROBLEM],
  ['with-nothing', 'a 400 has no body', ['content-type', 'whole-json'], { status: 400 }],
  ['type-errors-with-422', 'wrong types get 422, missing members 400', ofMessage(/text/, error(422))],
  ['enum-with-500', 'an unknown status gets 500', ofMessage(/^status/, error(500))],
  ['parsing-with-500', 'broken JSON gets 500', ofMessage(/no JSON/, error(500))],
  ['no-object-with-500', 'a body that is no object gets 500', ofMessage(/no object/, error(500))],
  ['empty-with-411', 'an empty body gets 411', ofMessage(/^a body is needed$/, error(411))],
  ['empty-with-500', 'an empty body gets 500', ofMessage(/^a body is needed$/, error(500))],
]);

const isPlainText = ({ headers }: Ask) => /^text\/plain/.test(headers['content-type'] ?? '');
const is400 = (status: number) => status === 400;

type Store = (sent: Data, shop: Shop) => void;

/** Stores what it can of a refused body. */
const store = (keep: Store): ShopFault =>
  around('create', (given, ask, shop) => {
    const sent = readBody(ask, shop.does);
    if (given.status === 400 && 'body' in sent && isObject(sent.body)) keep(sent.body, shop);
    return given;
  });

const keepNew = (shop: Shop, name: unknown, categoryId: unknown) =>
  shop.does.keep(shop, { id: shop.does.nextId(shop), name, categoryId });

const storeNamed: Store = ({ name }, shop) => {
  if (typeof name === 'string') keepNew(shop, name, 1n);
};

const storeWithoutStatus: Store = ({ name, categoryId }, shop) => {
  if (correct.problemOf({ name, categoryId }) === undefined) keepNew(shop, name, categoryId);
};

const failAfterRefusal: ShopFault = () => {
  let isBroken = false;
  return {
    create(ask, shop) {
      const given = isBroken ? error(500) : (correct.create(ask, shop) as Answer);
      isBroken = given.status === 400;
      return given;
    },
  };
};

const TOLERATED = 'invalid-tolerated';

const otherRefusalsOfBodies = mutants('refuses', petStore, 'invalid-refused', [
  [
    'media-type-with-500',
    'another media type gets 500',
    TOLERATED,
    respond('create', isPlainText, error(500)),
  ],
  ['with-html', 'a 400 is an HTML page', 'content-type', wireIf(is400, content('text/html', '<h1>no</h1>'))],
  ['with-text', 'a 400 is plain text', 'content-type', wireIf(is400, content('text/plain', 'no'))],
]);

const refusalEffects = mutants('stores', using(petStore, store), 'refused-leaves-nothing', [
  ['refused', 'an invalid record gets 400 and is stored', storeNamed],
  ['refused-status', 'an unknown status gets 400 and the rest is stored', storeWithoutStatus],
]);

const NEXT = ['status', 'created-can-be-read'] as const;

const refusalMemory = mutants('refused', petStore, NEXT, [
  ['breaks-next', 'the create after an invalid body gets 500', failAfterRefusal],
]);

export const refusedBodiesMutants = [
  ...wrongRefusalsOfBodies,
  ...otherRefusalsOfBodies,
  ...refusalEffects,
  ...refusalMemory,
];
