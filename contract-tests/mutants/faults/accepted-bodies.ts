import type { Ask } from '../by-hand/behaviour.ts';
import { correct, isObject } from '../by-hand/correct.ts';
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
  accepting(
    'status-in-list',
    'a status may stand in a list',
    (body) =>
      Array.isArray(body.status) &&
      body.status.length === 1 &&
      ['available', 'pending', 'sold'].includes(String(body.status[0])) &&
      named(body) &&
      rest(body),
  ),
  accepting(
    'category-in-list',
    'a categoryId may stand in a list',
    (body) =>
      Array.isArray(body.categoryId) &&
      body.categoryId.length === 1 &&
      isInt64(body.categoryId[0]) &&
      named(body),
  ),
  accepting(
    'category-empty-text',
    'a categoryId may be an empty text',
    (body) => body.categoryId === '' && named(body),
  ),
  accepting(
    'category-digits-and-more',
    'what follows the digits of a categoryId is not looked at',
    (body) => typeof body.categoryId === 'string' && /^\d+\D/.test(body.categoryId) && named(body),
  ),
  accepting(
    'status-padded',
    'spaces around a status do not count',
    (body) =>
      typeof body.status === 'string' &&
      body.status !== body.status.trim() &&
      ['available', 'pending', 'sold'].includes(body.status.trim()) &&
      named(body) &&
      rest(body),
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
