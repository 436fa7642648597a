import {
  bodyMedia,
  isRecord,
  type MediaType,
  memberShape,
  type Operation,
  quotedIn,
  type Resource,
  type Shape,
  sample,
  stringifyJson,
  valueAt,
} from '#spec';
import { type BodyMember, membersIn } from '../laws/blame.ts';
import { isIdName, recordInBody } from '../laws/mark.ts';
import { resourceOf } from '../laws/operation-role.ts';
import type { Base, Path, Plan, Recipe } from '../run/run.ts';
import { reservedValue } from './made-up.ts';
import { placeInPair } from './ordered-pairs.ts';

type Data = Readonly<Record<string, unknown>>;
/** What is sent as long as nothing is refused. */
export function firstRecipe({ settings }: Pick<Plan, 'settings'>, { id }: Operation): Recipe {
  return recipeOn(settings.bodies.has(id) ? 'the file of --body' : 'all members');
}

export const recipeOn = (base: Base): Recipe => ({
  base,
  varies: false,
  ahead: false,
  without: [],
  values: [],
});

export const isSamePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);

/** Whether two recipes make bodies of the same kind. */
export const isSameRecipe = (one: Recipe, other: Recipe) => stringifyJson(one) === stringifyJson(other);

/** A recipe in one line, for people. */
export function describeRecipe({ base, varies, ahead, without, values }: Recipe): string {
  const names = (paths: readonly Path[]) => paths.map((path) => path.join('.')).join(', ');
  return [
    base,
    ...(without.length > 0 ? [`without ${names(without)}`] : []),
    ...(values.length > 0 ? [`with another ${names(values.map(({ path }) => path))}`] : []),
    ...(ahead ? ['with dates ahead'] : []),
    ...(varies ? ['with values of its own'] : []),
  ].join(' ');
}

/** The body with what the recipe leaves out and puts in. @param reform the text with the form of another one */
export function followRecipe(
  body: unknown,
  recipe: Recipe,
  reform: (path: Path, form: unknown) => unknown,
): unknown {
  const less = recipe.without.reduce((value, path) => changedAt(value, path, () => undefined), body);
  return recipe.values.reduce(
    (value, { path, value: other }) => changedAt(value, path, () => reform(path, other)),
    less,
  );
}

/** A value with another one at a path; undefined takes a member away. What is no object stays as it is. */
export function changedAt(value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (!isRecord(value)) return value;
  if (rest.length > 0 && value[name] === undefined) return value;
  const changed = changedAt(value[name], rest, change);
  const { [name]: _, ...others } = value;
  return changed === undefined ? others : { ...value, [name]: changed };
}

/**
 * The body that the document shows: an example of the media type or of the schema, else one that is made of the examples
 * of its members. Its ids are taken out, and what may reach somebody is replaced; undefined: nothing is shown.
 */
export function exampleBody(media: MediaType, key: string): unknown {
  const [shown = media.shape?.examples[0]] = media.examples.values();
  const whole = shown ?? (media.shape && assembled(media.shape, key));
  return media.shape ? withoutAddresses(whole, media.shape, key) : whole;
}

/** Undefined: no member has an example. */
function assembled(shape: Shape, key: string): unknown {
  if (![...shape.properties.values()].some(({ examples }) => examples.length > 0)) return undefined;
  return sample(shape, {
    key,
    direction: 'request',
    include: (name) => (shape.properties.get(name)?.examples.length ?? 0) > 0,
    fake: (_, { examples: [value] }) => value,
  });
}

/** E-mail, telephone and URL members get values that belong to nobody. */
function withoutAddresses(value: unknown, shape: Shape, key: string): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const member = memberShape(shape, name);
    if (member?.readOnly) return [];
    if (isRecord(one) && member) return [[name, withoutAddresses(one, member, key)]];
    return [[name, typeof one === 'string' ? (reservedValue(name, member, key, one) ?? one) : one]];
  });
  return Object.fromEntries(members);
}

/**
 * The members of a body and of the objects in it, with those that were not sent; also the id that no schema names and
 * that the target may want to have from the client.
 */
export function membersOf(resource: Resource, operation: Operation, body: unknown): BodyMember[] {
  const shape = bodyMedia(operation.body)?.shape;
  const id = undeclaredId(resource, operation);
  const own = id && { path: id, name: id.at(-1) ?? '', required: false, value: valueAt(body, id) };
  return [
    ...(shape ? membersIn(shape, body, []) : []),
    ...(own && resource.id ? [{ ...own, shape: resource.id.shape }] : []),
  ];
}

/** Where a body would have the id that no schema names. */
export function undeclaredId(resource: Resource | undefined, operation: Operation): Path | undefined {
  if (resource?.id?.sign !== 'undeclared') return undefined;
  return [...recordInBody(resource, operation).path, resource.id.property];
}

/** Values of a member that the target may take sooner than the one before, the likeliest first. */
export function likelyValues(
  operation: Operation,
  run: Pick<Plan, 'contract'>,
  { path, name, shape, value }: BodyMember,
  records: readonly Data[],
): unknown[] {
  const { path: place } = recordInBody(resourceOf(run.contract, operation), operation);
  const inRecord = place.every((step, index) => path[index] === step) ? path.slice(place.length) : [];
  const isId = inRecord.length === 1 && isIdName(name);
  // What is no scalar may be about somebody else's things: whom a rule applies to, say.
  const seen = (
    inRecord.length > 0 && !isId ? records.map((record) => valueAt(record, inRecord)) : []
  ).filter((one) => typeof one !== 'object');
  const shown = [...shape.examples, shape.find('default')?.value, ...quotedIn(shape)];
  const others = shape.values ?? [];
  const reserved = reservedValue(name, shape, 'other', String(value));
  return [...seen, ...shown, ...others, reserved].filter(
    (one, index, all) =>
      one != null && one !== '' && one !== value && all.indexOf(one) === index && fits(shape, one),
  );
}

function fits({ mainType }: Shape, value: unknown): boolean {
  const type = Array.isArray(value) ? 'array' : isRecord(value) ? 'object' : typeof value;
  const described = mainType === 'integer' ? 'number' : mainType;
  return described === undefined || described === type || (type === 'bigint' && described === 'number');
}

const HOUR = 3_600_000;
/** The dates of a body, in the order in which they should be; undefined: those that nothing says it of. */
export function datesIn(operation: Operation, body: unknown): { path: Path; isDay: boolean }[] {
  const shape = bodyMedia(operation.body)?.shape;
  const dates = (shape && isRecord(body) ? membersIn(shape, body, []) : []).flatMap(
    ({ path, name, shape, value }) => {
      const format = shape.find('format')?.value;
      if (value === undefined || shape.values || (format !== 'date' && format !== 'date-time')) return [];
      return [{ path, isDay: format === 'date', rank: placeInPair(name) }];
    },
  );
  return dates.toSorted((one, other) => one.rank - other.rank);
}

/** The body with dates ahead, a day apart: services that plan something refuse those that are over. */
export function withDatesAhead(operation: Operation, body: unknown, now: Date): unknown {
  return datesIn(operation, body).reduce((changed, { path, isDay }, index) => {
    const date = new Date(now.getTime() + HOUR + (index + (isDay ? 1 : 0)) * 24 * HOUR);
    const text = date.toISOString();
    return changedAt(changed, path, () => (isDay ? text.slice(0, 10) : text));
  }, body);
}
