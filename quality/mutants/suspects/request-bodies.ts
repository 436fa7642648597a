import type { Ask, Shop } from '../by-hand/behaviour.ts';
import { correct, isObject, readBody } from '../by-hand/correct.ts';
import { type Data, every } from '../record-changes.ts';
import {
  around,
  error,
  FORBIDDEN,
  KINDS,
  petStore,
  refuseBody,
  response,
  type ShopFault,
} from '../shop-faults.ts';
import { mutants, product, using } from '../suspect.ts';

const VALID = { name: 'Nobody', categoryId: 1n, status: 'sold' };
const isValid = (member: string, value: unknown) =>
  correct.problemOf({ ...VALID, [member]: value }) === undefined;

/** Accepts these invalid objects, and stores a valid record. */
const accept = (accepts: (body: Data) => boolean): ShopFault => ({
  problemOf: (body) => (isObject(body) && accepts(body) ? undefined : correct.problemOf(body)),
  made: (sent, id) => {
    const valid = Object.entries(sent).filter(([member, value]) => isValid(member, value));
    return correct.made({ name: 'Nobody', categoryId: 1n, ...Object.fromEntries(valid) }, id);
  },
});

/** Accepts these values of a member if the rest of the body is valid. */
const acceptMember = (member: keyof typeof VALID) => (accepts: (value: unknown) => boolean) =>
  accept(
    (body) => accepts(body[member]) && correct.problemOf({ ...body, [member]: VALID[member] }) === undefined,
  );
const acceptedMembers = (['name', 'categoryId', 'status'] as const).flatMap((member) => {
  const kinds = FORBIDDEN[member].map((kind) => [kind, [KINDS[kind].matches]] as const);
  return product(Object.fromEntries(kinds), 'invalid-refused', [
    [`accepts-${member}`, using(petStore, acceptMember(member))],
  ]);
});

/** Accepts bodies of this form that are not objects, and invents a record. */
const acceptBody = (form: RegExp): ShopFault => ({
  create(ask, shop) {
    if (!form.test(ask.body.toString().trim())) return correct.create(ask, shop);
    const pet = shop.does.made(VALID, shop.does.nextId(shop));
    shop.does.keep(shop, pet);
    return shop.does.created(pet, shop);
  },
});
const BODIES = { nothing: [/^$/], null: [/^null$/], array: [/^\[.*\]$/s] } as const;

/** Replaces only refusals with this message. */
const ofMessage = ([pattern, status]: readonly [pattern: RegExp, status: number]): ShopFault =>
  response('create', 400, (reply) =>
    pattern.test((reply.body as { message: string }).message) ? error(status) : reply,
  );

/** An invalid status gets 400, but the rest of the record is stored. */
const storeWithoutStatus: ShopFault = around('create', (reply, ask, shop) => {
  const sent = readBody(ask, shop.does);
  const { name, categoryId } = 'body' in sent && isObject(sent.body) ? sent.body : {};
  if (reply.status === 400 && correct.problemOf({ name, categoryId }) === undefined)
    shop.does.keep(shop, { id: shop.does.nextId(shop), name, categoryId });
  return reply;
});

const refuseName = (status: number, refuses: (name: string) => boolean) =>
  refuseBody(status, ({ name }) => refuses(String(name)));
const refuseStatus = (refuses: (value: unknown) => boolean) =>
  refuseBody(400, (body) => refuses(body.status));
const hasCharset = ({ headers }: Ask) => /charset/.test(headers['content-type'] ?? '');
const isChunked = ({ headers }: Ask) => headers['transfer-encoding'] !== undefined;
const isTaken = ({ name }: Data, _: Ask, { pets }: Shop) => pets.some((pet) => pet.name === name);
const isBig = ({ categoryId }: Data) => Number(categoryId) > 2 ** 53;
const NOTHING = 'refused-leaves-nothing';
const NOT_CREATED = ['status', 'filter', 'created-equals-sent', 'exact-integers', 'complete-list'] as const;

export const requestBodiesMutants = [
  ...acceptedMembers,
  ...product<RegExp>(BODIES, 'invalid-refused', [['accepts-body', using(petStore, acceptBody)]]),
  ...mutants('refuses', using(petStore, ofMessage), 'invalid-refused', {
    'type-errors-with-422': ['wrong types get 422, missing members 400', [/text/, 422]],
    'enum-with-500': ['an unknown status gets 500', [/^status/, 500]],
    'empty-with-411': ['an empty body gets 411', [/^a body is needed$/, 411]],
  }),
  ...mutants('refuses', petStore, NOT_CREATED, {
    'and-stores-the-rest': ['an unknown status gets 400 and the rest is stored', NOTHING, storeWithoutStatus],
    'no-status': ['the optional status is required', refuseStatus((status) => status === undefined)],
    sold: ['one value of the status is refused', refuseStatus((status) => status === 'sold')],
    charset: ['a media type with a charset is refused', refuseBody(415, (_, ask) => hasCharset(ask))],
    chunked: ['a chunked body is refused', refuseBody(400, (_, ask) => isChunked(ask))],
    'emoji-500': ['an emoji gets 500', refuseName(500, (name) => /[\u{10000}-\u{10ffff}]/u.test(name))],
    'one-character': ['names of one character are refused', refuseName(400, (name) => name.length < 2)],
    'longer-than-40': ['names beyond 40 characters are refused', refuseName(400, (name) => name.length > 40)],
    'big-category': ['a category beyond 2^53 gets 500', refuseBody(500, isBig)],
    'every-fifth': ['every fifth create gets 500', () => refuseBody(500, every(5))],
    'equal-names': ['a name that is taken is refused', refuseBody(409, isTaken)],
  }),
];
