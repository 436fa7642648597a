import type { Problem } from '../document/source-file.ts';
import { describeValue, type Spot } from '../document/spot.ts';
import { didYouMean, type Named, type Reader } from '../meaning/forms.ts';
import { DOES, ROLES } from '../meaning/keys.ts';
import {
  asPath,
  SAID_FORMS,
  type SaidOfRecord,
  saidOfCollection,
  saidOfRecord,
} from '../meaning/x-paddock.ts';
import { nearest } from '../nearest.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { familiesOf } from '../resources/families.ts';
import { listPlace } from '../resources/list-form.ts';
import { answerShape, bodyShape, memberShape, successOf } from '../resources/record-schema.ts';
import type { Resource, Singleton } from '../resources/resource.ts';
import type { Shape } from '../schema/shape.ts';

/** What `x-paddock` names that the document does not have, and roles that an operation cannot have, with their places. */
export function contradictions(
  operations: readonly Operation[],
  {
    resources,
    singletons,
  }: { readonly resources: readonly Resource[]; readonly singletons: readonly Singleton[] },
): Problem[] {
  const all = [...resources, ...singletons];
  const paths = all.map(({ path }) => path);
  const recordOf = (operation: Operation): Shape | undefined =>
    all.find(
      ({ path, actions, further }) =>
        path === operation.said.facts.of ||
        Object.values(actions).includes(operation) ||
        further.some((one) => one.operation === operation),
    )?.shape;
  const found: Problem[] = [];
  const add = ({ file, path }: Spot, message: string) =>
    void found.push(file.problemAt(path, `x-paddock: ${message}`));
  for (const operation of operations) {
    const { spots, facts } = operation.said;
    if (spots.length === 0) continue;
    const meant = meantBy(operation, operations);
    const collections = meant === undefined ? paths : [...paths.filter((path) => path !== facts.of), meant];
    const known = { record: recordOf(operation), collections, operations };
    for (const spot of spots) SAID_FORMS.operation.read(spot, readerOf(namesOf(operation, known), add));
    for (const [at, message] of wrongRoles(operation)) add(at, message);
  }
  for (const shape of new Map(all.map((one) => [one.shape.spot.value, one.shape])).values()) {
    const own = all.filter((one) => one.shape.spot.value === shape.spot.value);
    const names = (kind: Named, name: string) => {
      if (kind === 'collection') return unknown(name, paths, NOUNS[kind]);
      if (kind !== 'path') return absent(name, shape, NOUNS.record);
      return unknown(
        name,
        own.flatMap((one) => pathParameters(one.path)),
        'path parameter of its collection',
      );
    };
    for (const spot of (saidOfRecord(shape) as SaidOfRecord).spots)
      SAID_FORMS.record.read(spot, readerOf(names, add));
  }
  for (const resource of resources) {
    const { facts, at } = saidOfCollection(resource);
    const families = facts.keptBy ? familiesOf(resources) : undefined;
    for (const [index, path] of facts.keptBy?.entries() ?? []) {
      const child = families && [...families.keys()].find((one) => one.path === path);
      const isKin = child && families.get(child)?.kin.some(({ parent }) => parent === resource);
      const spot = at('keptBy', String(index));
      if (child && spot && !isKin && !families.get(resource)?.sharedWith)
        add(
          spot,
          `nothing says which record of ${resource.path} one of ${path} belongs to; say it there: members: { MEMBER: { names: ${resource.path} } }`,
        );
    }
  }
  // What is said at a path is said of each of its operations.
  return [
    ...new Map(found.map((one) => [`${one.uri}:${one.line}:${one.column} ${one.message}`, one])).values(),
  ];
}

type Add = (at: Spot, message: string) => void;
/** Why the document does not have what is named; undefined: it has it. */
type Names = (kind: Named, name: string, at: Spot) => string | undefined;

function readerOf(names: Names, add: Add): Reader {
  const name = (kind: Named, text: string, at: Spot) => {
    const problem = names(kind, text, at);
    if (problem !== undefined) add(at, problem);
  };
  // What has another form was refused when it was read.
  return { wrong: () => {}, odd: add, name };
}

const NOUNS = {
  ...{
    collection: 'collection of the document',
    query: 'query parameter of it',
    path: 'path parameter of it',
  },
  ...{ header: 'header of its requests', record: 'the record', body: 'the body', response: 'the response' },
} as const;

interface Known {
  readonly record: Shape | undefined;
  readonly collections: readonly string[];
  readonly operations: readonly Operation[];
}

function namesOf(operation: Operation, { record, collections, operations }: Known): Names {
  const [answer, body] = [answerShape(operation), bodyShape(operation)];
  const namesIn = (wanted: string, { parameters }: Operation) =>
    parameters.flatMap(({ in: place, name }) => (place === wanted ? [name] : []));
  const asked = (one: Operation) => [
    ...namesIn('query', one),
    ...(one.method === 'GET' ? [] : (bodyShape(one)?.properties.keys() ?? [])),
  ];
  return (kind, name, at) => {
    if (kind === 'status') return /^[1-5]\d\d$/.test(name) ? undefined : noStatus(name);
    if (kind === 'collection') return unknown(asPath(name), collections, NOUNS.collection);
    if (kind === 'path') return unknown(name, pathParameters(operation.path), NOUNS.path);
    if (kind === 'header') return unknown(name.toLowerCase(), namesIn('header', operation), NOUNS.header);
    if (kind === 'record') return absent(name, record, NOUNS.record);
    if (kind === 'body') return absent(name, body, NOUNS.body);
    if (kind === 'query') {
      // What is said at the path is meant for those of its operations that have the parameter.
      const isOwn = operation.spot.path.every((step, index) => at.path[index] === step);
      const beside = isOwn ? [operation] : operations.filter(({ path }) => path === operation.path);
      return unknown(name, beside.flatMap(asked), NOUNS.query);
    }
    const headers = kind === 'page' ? (successOf(operation)?.headers ?? []) : [];
    const isHeader = headers.some((one) => one.name.toLowerCase() === name.toLowerCase());
    return isHeader ? undefined : absent(name, answer, NOUNS.response);
  };
}

const noStatus = (name: string) => `${describeValue(name)} is no status; write one such as '422'`;

/** The path that was meant by a collection which has no path in the document, and which nobody else names. */
function meantBy({ said }: Operation, operations: readonly Operation[]): string | undefined {
  const { of } = said.facts;
  if (of === undefined) return undefined;
  const named = operations.filter(
    ({ path, said: { facts } }) => facts.of === of || path === of || path.startsWith(`${of}/`),
  );
  return named.length > 1 || named[0]?.path.startsWith(of)
    ? undefined
    : nearest(
        of,
        operations.map(({ path }) => path),
      );
}

/** A role that the method or the response of an operation does not allow. */
function wrongRoles(operation: Operation): [Spot, string][] {
  const { method, said, spot } = operation;
  const { does, in: places } = said.facts;
  if (does === undefined) return [];
  const at = said.at(does) ?? spot;
  const isFit = (role: (typeof DOES)[number]) => ROLES[role][1]?.some((one) => one === method) ?? true;
  const fit = DOES.filter(isFit);
  if (!isFit(does))
    return [[at, `${describeValue(does)} is no role of a ${method}, which may be ${fit.join(', ')}`]];
  const answer = answerShape(operation);
  const isList = answer?.mainType === 'array';
  if (isList && ['read', 'singleton'].includes(does))
    return [
      [at, `${describeValue(does)} shows one record, and the response is a list; say "list" or "view"`],
    ];
  if (answer && ['list', 'view'].includes(does) && answer.properties.size > 0 && !listPlace(operation))
    return [[at, `the response has no list of records; say where: in: { records: MEMBER }, or "read"`]];
  if (does === 'values' && places?.values === undefined)
    return [[at, 'it lists the values of a member; say which: in: { values: MEMBER }']];
  return [];
}

function unknown(name: string, known: readonly string[], what: string): string | undefined {
  return known.includes(name)
    ? undefined
    : `${describeValue(name)} is no ${what}; ${didYouMean(name, known)}`;
}

/** A member that a schema does not have; one that is open may have it all the same, and nobody says so of an undescribed one. */
function absent(path: string, shape: Shape | undefined, what: string): string | undefined {
  let here: Shape | undefined = shape;
  const steps = path.split('.');
  for (const [index, name] of steps.entries()) {
    const object: Shape | undefined = here?.items ?? here;
    // A name may have dots itself.
    if (!object || memberShape(object, steps.slice(index).join('.'))) return undefined;
    const names = [object, ...object.alternatives].flatMap(({ properties }) => [...properties.keys()]);
    if (names.length === 0) return undefined;
    here = memberShape(object, name);
    if (!here)
      return `${what} has no member ${describeValue(name)}; ${didYouMean(name, names).replace('there are', 'it has')}`;
  }
  return undefined;
}
