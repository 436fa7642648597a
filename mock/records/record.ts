import {
  answerShape,
  type Data,
  formsOf,
  idStem,
  idWord,
  isEqual,
  isRecord,
  memberMeanings,
  type Resource,
  recordPath,
  type Shape,
  saidOfRecord,
  shapeAt,
} from '#spec';
import type { Given, Id } from '../store/port.ts';
import { compileForms, formOf, keepsUnnamed, namedMembers, someWithin } from './forms.ts';
import type { SeedValues } from './seed/values.ts';

/** Makes the stored record from members of a client or a seed. */
export type RecordOf = (id: Id, members: Data, scope: Given['scope']) => Data;

/**
 * Compiles completing records: members in the schema's order, the id first, with those that the service sets; `writeOnly`
 * members, and those that no schema names, are dropped.
 */
export function compileRecord(resource: Resource, values: SeedValues): RecordOf {
  const { shape } = resource;
  const recordOf = compileForms(shape, (form) => compileMembers(form, resource, values));
  return (id, members, scope) => {
    const record = recordOf(members)(id, members);
    for (const { key, anyOf } of scope) if (!key.startsWith('{')) record[key] = anyOf[0];
    return record;
  };
}

type Make = (id: Id, members: Data) => Record<string, unknown>;

/** Members that only other responses show: stored where the record's schema allows them. */
function otherMembers(shape: Shape, resource: Resource): [name: string, member: Shape][] {
  const { shape: whole, actions } = resource;
  const isClosed = shape.all('additionalProperties').some(({ value }) => value === false);
  if (shape !== whole || isClosed || shape.has('unevaluatedProperties')) return [];
  const { list: _, remove: __, ...others } = actions;
  return Object.values(others).flatMap((operation) => {
    const recordForm = shapeAt(answerShape(operation), recordPath(resource, operation));
    return [...(recordForm?.properties ?? [])];
  });
}

function compileMembers(shape: Shape, resource: Resource, values: SeedValues): Make {
  const { property: idProperty, inner } = resource.id ?? {};
  const { members: memberFacts = {} } = saidOfRecord(shape).facts;
  const isHidden = (name: string, { writeOnly }: Shape) =>
    writeOnly || memberFacts[name]?.hidden === 'always';
  const readable = [...new Map([...otherMembers(shape, resource), ...shape.properties])].filter(
    ([name, member]) => !isHidden(name, member) && (name !== idProperty || inner !== undefined),
  );
  const conditional = shape.conditional
    .flatMap((one) => [...namedMembers(one)])
    .flatMap(([name, member]) => (isHidden(name, member) || name === idProperty ? [] : name));
  const names = [...readable.map(([name]) => name), ...conditional];
  const hidden = new Set(
    [...shape.properties].flatMap(([name, member]) => (isHidden(name, member) ? [name] : [])),
  );
  const isOpen = keepsUnnamed(shape);
  const isPlain = !isOpen && !shape.properties.has('__proto__') && !shape.required.has('__proto__');
  const meanings = memberMeanings(resource);
  const fallbacks = readable.flatMap(([name, member]): [string, (id: Id) => unknown][] => {
    const fallback = member.find('default');
    const made = (id: Id) => values.member(resource, id, name, member);
    if (fallback && member.allows(fallback.value)) return [[name, () => fallback.value]];
    // A record whose id is a name still has its `id`, and a creator.
    const isKey = idProperty !== undefined && idWord(name) !== undefined && idStem(name) === undefined;
    const { holds, set } = meanings.get(name) ?? {};
    const isMaker = shape.required.size === 0 && holds === 'maker' && set === 'service';
    return shape.required.has(name) || isKey || isMaker ? [[name, made]] : [];
  });

  const completions = readable.flatMap(([name, member]): [string, (id: Id, value: unknown) => unknown][] => {
    const complete = compileServiceMembers(member);
    if (!complete) return [];
    const made = (id: Id) => (inner: string, shape: Shape, place: string) =>
      values.member(resource, `${id}/${name}${place}`, inner, shape);
    return [[name, (id, value) => complete(value, made(id))]];
  });

  // `required` may list members without a description in `properties`.
  for (const name of shape.required.keys()) {
    if (shape.properties.has(name) || name === idProperty) continue;
    names.push(name);
    fallbacks.push([name, (id) => (values.record(resource, id) as Data | null)?.[name] ?? name]);
  }

  return (id, members) => {
    // Without a prototype where clients or the document choose names: `__proto__` is then an ordinary member.
    const record: Record<string, unknown> = isPlain ? {} : Object.create(null);
    if (idProperty !== undefined) record[idProperty] = id;
    for (const name of names) if (Object.hasOwn(members, name)) record[name] = members[name];
    if (isOpen) {
      for (const name of Object.keys(members)) {
        if (!Object.hasOwn(record, name) && !hidden.has(name)) record[name] = members[name];
      }
    }
    if (idProperty !== undefined && inner !== undefined) {
      const old = members[idProperty];
      record[idProperty] = { ...(isRecord(old) && old), [inner]: id };
    }
    for (const [name, complete] of completions)
      if (Object.hasOwn(record, name)) record[name] = complete(id, record[name]);
    for (const [name, value] of fallbacks) if (!Object.hasOwn(record, name)) record[name] = value(id);
    values.settle(resource, record, (name) => Object.hasOwn(members, name));
    return record;
  };
}

/** Makes a member's value; `place` is its path within the record. */
type MakeMember = (name: string, shape: Shape, place: string) => unknown;

/**
 * Compiles completing objects within a record: clients cannot send their required `readOnly` members (OpenAPI 3.1 §4.8.24),
 * and need not send those that only the record's schema requires; `writeOnly` ones are dropped. Undefined: there are
 * neither.
 */
function compileServiceMembers(shape: Shape): ((value: unknown, make: MakeMember) => unknown) | undefined {
  const isIncomplete = ({ required, properties }: Shape) =>
    required.size > 0 || [...properties.values()].some(({ writeOnly }) => writeOnly);
  if (!someWithin(shape, isIncomplete)) return undefined;

  function complete(
    described: Shape,
    value: unknown,
    place: string,
    make: MakeMember,
    siblings: readonly unknown[] = [],
  ): unknown {
    if (Array.isArray(value)) {
      const items = formsOf(described).find((form) => form.items)?.items;
      return items
        ? value.map((item, index) => complete(items, item, `${place}/${index}`, make, value))
        : value;
    }
    if (!isRecord(value)) return value;
    const { properties, required, additional } = formOf(described, value);
    const existing = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const inner = properties.get(name) ?? additional;
      if (inner?.writeOnly) return [];
      return [[name, inner ? complete(inner, member, `${place}/${name}`, make) : member]];
    });
    const made = [...required.keys()].flatMap((name): [string, unknown][] => {
      const member = properties.get(name) ?? additional;
      if (member?.writeOnly || Object.hasOwn(value, name)) return [];
      // `required` may list a member without a description: any value fits.
      if (!member) return [[name, name]];
      // An item that has moved within the list keeps the members made for it before.
      const isTaken = (made: unknown) =>
        siblings.some((sibling) => isRecord(sibling) && isEqual(sibling[name], made));
      let made = make(name, member, `${place}/${name}`);
      for (let tried = 1; tried < 4 && isTaken(made); tried++)
        made = make(name, member, `${place}/${name}/${tried}`);
      return [[name, made]];
    });
    return Object.fromEntries([...made, ...existing]);
  }
  return (value, make) => complete(shape, value, '', make);
}
