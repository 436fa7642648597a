import type { Ask } from '../by-hand/behaviour.ts';
import { correct, isObject } from '../by-hand/correct.ts';
import { isInt64 } from '../by-hand/exact-json.ts';
import { STATUSES } from '../by-hand/pet.ts';
import { type Data, lowerCase } from '../record-changes.ts';
import { petStore, type ShopFault } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const isStatus = (value: unknown) => STATUSES.some((status) => status === value);

/** Accepts these invalid objects. What is stored of them is valid. */
const accept = (accepts: (body: Data) => boolean): ShopFault => ({
  problemOf: (body) => (isObject(body) && accepts(body) ? undefined : correct.problemOf(body)),
  made: ({ name, categoryId, status }, id) => ({
    id,
    name: typeof name === 'string' ? name : 'Nobody',
    categoryId: isInt64(categoryId) ? categoryId : 1n,
    ...(isStatus(status) ? { status } : {}),
  }),
});

const VALID = { name: 'Nobody', categoryId: 1n, status: 'sold' };

/** Accepts these values of a member where the rest of the body is valid. */
const acceptMember = (member: keyof typeof VALID) => (accepts: (value: unknown) => boolean) =>
  accept((body) => {
    const isRestValid = correct.problemOf({ ...body, [member]: VALID[member] }) === undefined;
    return isRestValid && accepts(body[member]);
  });

const accepting = (member: keyof typeof VALID) => using(petStore, acceptMember(member));

const isNull = (value: unknown) => value === null;
const isString = (value: unknown) => typeof value === 'string';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isEmptyString = (value: unknown) => value === '';
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isArrayOf = (test: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length === 1 && test(value[0]);

const acceptedNames = mutants('accepts-name', accepting('name'), 'invalid-refused', [
  ['number', 'a name may be a number', (name) => typeof name === 'bigint'],
  ['boolean', 'a name may be a boolean', isBoolean],
  ['null', 'a name may be null', isNull],
  ['array', 'a name may be an array', Array.isArray],
  ['object', 'a name may be an object', isObject],
]);

const acceptedCategories = mutants('accepts-category', accepting('categoryId'), 'invalid-refused', [
  ['numeric-text', 'a categoryId may be a string of digits', matches(/^-?\d+$/)],
  ['text', 'a categoryId may be any other string', matches(/^(?!-?\d+$)/)],
  ['fraction', 'a categoryId may be a fraction', (id) => typeof id === 'number'],
  ['boolean', 'a categoryId may be a boolean', isBoolean],
  ['null', 'a categoryId may be null', isNull],
  ['array', 'a categoryId may be an array', Array.isArray],
  ['object', 'a categoryId may be an object', isObject],
  ['beyond-int64', 'a categoryId may be beyond int64', (id) => typeof id === 'bigint' && !isInt64(id)],
  ['in-list', 'a categoryId may be an array of one', isArrayOf(isInt64)],
  ['empty-text', 'a categoryId may be an empty string', isEmptyString],
  ['digits-and-more', 'what follows the digits of a categoryId is ignored', matches(/^\d+\D/)],
]);

const acceptedStatuses = mutants('accepts-status', accepting('status'), 'invalid-refused', [
  ['unknown', 'a status may be any string', isString],
  ['upper-case', 'the status is case-insensitive', (value) => isString(value) && isStatus(lowerCase(value))],
  ['empty', 'a status may be an empty string', isEmptyString],
  ['null', 'a status may be null', isNull],
  ['number', 'a status may be a number', (status) => typeof status === 'bigint'],
  ['boolean', 'a status may be a boolean', isBoolean],
  ['array', 'a status may be an array', Array.isArray],
  ['in-list', 'a status may be an array of one', isArrayOf(isStatus)],
  ['padded', 'a status may be padded', (value) => typeof value === 'string' && isStatus(value.trim())],
]);

const acceptedObjects = mutants('accepts', petStore, 'invalid-refused', [
  ['missing-name', 'the name may be missing', acceptMember('name')((name) => name === undefined)],
  ['missing-category', 'the categoryId may be missing', acceptMember('categoryId')((id) => id === undefined)],
  ['empty-object', 'a body may be an empty object', accept((body) => Object.keys(body).length === 0)],
  ['anything', 'any object is accepted', accept(() => true)],
]);

/** Accepts these bodies that are no object: a record is made up. */
const acceptBody = (accepts: (text: string, ask: Ask) => boolean): ShopFault => ({
  create(ask, shop) {
    if (!accepts(ask.body.toString().trim(), ask)) return correct.create(ask, shop);
    const pet = shop.does.made(VALID, shop.does.nextId(shop));
    shop.does.keep(shop, pet);
    return shop.does.created(pet, shop);
  },
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const acceptedOtherBodies = mutants('accepts', using(petStore, acceptBody), 'invalid-refused', [
  ['empty-body', 'a create needs no body', (text) => text === ''],
  ['null-body', 'a body may be null', (text) => text === 'null'],
  ['array-body', 'a body may be an array', (text) => Array.isArray(parse(text))],
  ['text-body', 'a body may be a string', (text) => typeof parse(text) === 'string'],
  ['number-body', 'a body may be a number', (text) => typeof parse(text) === 'number'],
  ['broken-json', 'broken JSON is accepted', (text) => text !== '' && parse(text) === undefined],
]);

export const acceptedBodiesMutants = [
  ...acceptedNames,
  ...acceptedCategories,
  ...acceptedStatuses,
  ...acceptedObjects,
  ...acceptedOtherBodies,
];
