import { isRecord, memberShape, type Operation, plainName, type Resource, type Shape } from '#spec';
import type { ActionContext, Task } from './action.ts';
import type { Members } from './writable-members.ts';

/** What a request makes of a record; undefined: nothing. */
export type NamedChange = (record: Members, task: Task) => Members | undefined;

/**
 * Compiles the change of the member that the end of a path names: `PUT /cards/{id}/status` sets `status` to what the body
 * or the query has under this name, `POST /articles/{id}/favorite` sets the flag `favorited` and adds one
 * to `favoritesCount`, and DELETE takes both back.
 * Undefined: the path names none.
 */
export function compileNamedChange({ operation, collection, contract }: ActionContext) {
  const segment = operation.path.slice(operation.path.lastIndexOf('/') + 1);
  const { shape } = collection.resource;
  const found = memberOf(collection.resource, plainName(segment), operation);
  if (segment.includes('{') || !found) return undefined;
  const { name, value } = found;
  const member = memberShape(shape, name) as Shape;
  const fits = ({ parts }: Shape, given: unknown) =>
    parts.every((part) => contract.validators.compile(part, 'response')(given).length === 0);
  const counter = member.mainType === 'boolean' ? counterOf(shape, name) : undefined;
  const change: NamedChange = (record, task) => {
    const given = value(task);
    if (given === undefined || !fits(member, given)) return undefined;
    const changed = { ...record, [name]: given };
    if (!counter || (record[name] === true) === given) return changed;
    const [counted, counts] = counter;
    const count = Number(record[counted] ?? 0) + (given === true ? 1 : -1);
    return fits(counts, count) && count >= 0 ? { ...changed, [counted]: count } : changed;
  };
  return change;
}

/** The member that counts how often a flag is set: `favoritesCount` of `favorited`, `star_count` of `isStarred`. */
function counterOf({ properties }: Shape, flag: string): readonly [name: string, shape: Shape] | undefined {
  const stem = plainName(flag)
    .replace(/^is/, '')
    .replace(/(?:ed|ing)$/, '')
    .replace(/(.)\1$/, '$1');
  return [...properties].find(([name, { mainType }]) => {
    const plain = plainName(name);
    return mainType === 'integer' && plain.startsWith(stem) && /(?:count|total)$/.test(plain);
  });
}

interface Named {
  readonly name: string;
  readonly value: (task: Task) => unknown;
}

function memberOf({ shape, id }: Resource, segment: string, { method }: Operation): Named | undefined {
  const members = [...shape.properties].filter(([name]) => name !== id?.property);
  const flags = members.filter(([, { mainType }]) => mainType === 'boolean');
  for (const [wanted, isOn] of [...flagsOf(segment)]) {
    const flag = flags.find(([name]) => plainName(name).replace(/^is/, '') === wanted);
    if (flag && method !== 'GET')
      return { name: flag[0], value: said(flag[0], (method !== 'DELETE') === isOn) };
  }
  const exact = members.find(([name]) => plainName(name) === segment);
  return exact && method !== 'GET' && method !== 'DELETE'
    ? { name: exact[0], value: said(exact[0], undefined) }
    : undefined;
}

/** What the body or the query says of a member, else what its flag is set to. */
function said(name: string, otherwise: boolean | undefined): Named['value'] {
  const valueIn = (given: unknown) =>
    isRecord(given)
      ? Object.entries(given).find(([own]) => plainName(own) === plainName(name))?.[1]
      : undefined;
  return ({ values: { body, parameters } }) => valueIn(body) ?? valueIn(parameters.query) ?? otherwise;
}

/** The flags that a verb sets, or takes back: `favorited` for `favorite`, `active` for `activate`, `enabled` for `disable`. */
function flagsOf(verb: string): ReadonlyMap<string, boolean> {
  const opposite = /^(?:un|dis|de)(?=.{3})/.exec(verb)?.[0];
  const plain = opposite === undefined ? undefined : verb.slice(opposite.length);
  const undone = plain === undefined ? [] : [...formsOf(plain), ...formsOf(`en${plain}`)];
  return new Map([
    ...formsOf(verb).map((form) => [form, true] as const),
    ...undone.map((form) => [form, false] as const),
  ]);
}

function formsOf(verb: string): string[] {
  const stem = verb.replace(/e$/, '');
  const doubled = `${verb}${verb.at(-1)}`;
  return [
    ...[verb, `${stem}ed`, `${stem}ing`, `${doubled}ed`, `${doubled}ing`],
    ...[verb.replace(/y$/, 'ied'), verb.replace(/ate$/, 'e')],
  ];
}
