import type { Ask, Behaviour, Shop } from '../by-hand/behaviour.ts';
import { isObject, readBody } from '../by-hand/correct.ts';
import { type Data, every } from '../record-changes.ts';
import { error, petStore, respond, type ShopFault } from '../shop-faults.ts';
import { mutants } from '../suspect.ts';

const NOT_CREATED = ['status', 'filter', 'created-equals-sent', 'exact-integers', 'complete-list'] as const;

const bodyOf = (ask: Ask, does: Behaviour): Data => {
  const sent = readBody(ask, does);
  return 'body' in sent && isObject(sent.body) ? sent.body : {};
};

/** Refuses these valid bodies. */
const refuse = (status: number, refuses: (body: Data, ask: Ask) => boolean): Partial<Behaviour> =>
  respond(
    'create',
    (ask, { does }) => {
      const body = bodyOf(ask, does);
      return does.problemOf(body) === undefined && refuses(body, ask);
    },
    error(status),
  );

const refuseName = (status: number, refuses: (name: string) => boolean) =>
  refuse(status, ({ name }) => refuses(String(name)));
const refuseCategory = (status: number, refuses: (categoryId: bigint) => boolean) =>
  refuse(status, ({ categoryId }) => refuses(BigInt(categoryId as bigint)));

const refuseEveryFifth: ShopFault = () => refuse(500, every(5));

const refuseAfterFive: ShopFault = () => {
  let count = 0;
  return refuse(409, () => ++count > 5);
};

const isNameTaken = (ask: Ask, { does, pets }: Shop) => {
  const { name } = bodyOf(ask, does);
  return pets.some((pet) => pet.name === name);
};

const TAKEN = ['status', 'distinct-ids'] as const;
const beyondBmp = /[\u{10000}-\u{10ffff}]/u;
const hasCharset = ({ headers }: Ask) => /charset/.test(headers['content-type'] ?? '');
const isChunked = ({ headers }: Ask) => headers['transfer-encoding'] !== undefined;

export const refusedValidBodiesMutants = mutants('refuses', petStore, NOT_CREATED, [
  ['no-status', 'the optional status is required', refuse(400, ({ status }) => status === undefined)],
  ['any-status', 'any status is refused', refuse(400, ({ status }) => status !== undefined)],
  ['sold', 'one value of the status is refused', refuse(400, ({ status }) => status === 'sold')],
  ['pending-500', 'one value of the status gets 500', refuse(500, ({ status }) => status === 'pending')],
  ['charset', 'a media type with a charset is refused', refuse(415, (_, ask) => hasCharset(ask))],
  ['chunked', 'a chunked body is refused', refuse(400, (_, ask) => isChunked(ask))],
  ['unicode', 'names beyond ASCII are refused', refuseName(400, (name) => /[^\x20-\x7e]/.test(name))],
  ['emoji-500', 'characters beyond the BMP get 500', refuseName(500, (name) => beyondBmp.test(name))],
  ['apostrophe-500', 'an apostrophe gets 500', refuseName(500, (name) => name.includes("'"))],
  ['one-character', 'names of one character are refused', refuseName(400, (name) => name.length < 2)],
  ['longer-than-40', 'names beyond 40 characters are refused', refuseName(400, (name) => name.length > 40)],
  ['digits', 'names with digits are refused', refuseName(400, (name) => /\d/.test(name))],
  ['spaces', 'names with a space are refused', refuseName(400, (name) => name.includes(' '))],
  ['long-500', 'names beyond 200 characters get 500', refuseName(500, (name) => name.length > 200)],
  ['empty-500', 'an empty name gets 500', refuseName(500, (name) => name === '')],
  ['big-category-500', 'a category beyond 2^53 gets 500', refuseCategory(500, (id) => id > 2n ** 53n)],
  ['negative-category-500', 'a negative category gets 500', refuseCategory(500, (id) => id < 0n)],
  ['every-fifth', 'every fifth create gets 500', refuseEveryFifth],
  ['sixth-and-later', 'no more than 5 records can be created', refuseAfterFive],
  ['equal-names', 'a name that is taken is refused', TAKEN, respond('create', isNameTaken, error(409))],
]);
