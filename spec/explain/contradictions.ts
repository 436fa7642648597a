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
import { MAKER } from '../resources/effects.ts';
import { familiesOf } from '../resources/families.ts';
import { listPlace } from '../resources/list-form.ts';
import { answerShape, bodyShape, memberShape, successOf } from '../resources/record-schema.ts';
import type { Resource, Singleton } from '../resources/resource.ts';
import type { Shape } from '../schema/shape.ts';
import { targetOf, unusedFacts } from './unused-facts.ts';

/**
 * Facts in `x-paddock` that the document contradicts: names that it does not have, and roles that an operation cannot
 * have; with their positions.
 */
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
  const problems: Problem[] = [];
  const add = ({ file, path }: Spot, message: string) =>
    void problems.push(file.problemAt(path, `x-paddock: ${message}`));
  for (const operation of operations) {
    const { spots, facts } = operation.said;
    if (spots.length === 0) continue;
    const meant = meantBy(operation, operations);
    const collections = meant === undefined ? paths : [...paths.filter((path) => path !== facts.of), meant];
    const scope = { record: recordOf(operation), collections, operations };
    for (const spot of spots) {
      SAID_FORMS.operation.read(spot, readerOf(namesOf(operation, scope), add));
      unusedFacts(spot, meantAt(spot, operation, operations), all, add);
    }
    const wrong = wrongRole(operation);
    if (wrong !== undefined) add(operation.said.at(facts.does ?? '') ?? operation.spot, wrong);
  }
  for (const shape of new Map(
    all.map((singleton) => [singleton.shape.spot.value, singleton.shape]),
  ).values()) {
    const sharers = all.filter((singleton) => singleton.shape.spot.value === shape.spot.value);
    const names = (kind: Named, name: string) => {
      if (kind === 'collection') return unknown(name, paths, NOUNS[kind]);
      if (kind !== 'path') return absent(name, shape, NOUNS.record);
      return unknown(
        name,
        sharers.flatMap((sharer) => pathParameters(sharer.path)),
        'path parameter of its collection',
      );
    };
    for (const spot of (saidOfRecord(shape) as SaidOfRecord).spots)
      SAID_FORMS.record.read(spot, readerOf(names, add));
  }
  for (const resource of resources) {
    const { facts, at } = saidOfCollection(resource);
    const record = saidOfRecord(resource.shape);
    const shown = Object.entries(record.facts.members ?? {}).map(([name, { shows }]) => ({
      path: shows,
      spot: record.at('members', name, 'shows'),
      mayEmbed: true,
    }));
    const kept = facts.keptBy?.map((path, index) => ({
      path,
      spot: at('keptBy', String(index)),
      mayEmbed: false,
    }));
    for (const { path, spot, mayEmbed } of [...(kept ?? []), ...shown])
      if (path !== undefined && spot && isUnrelated(path, resource, resources, mayEmbed))
        add(
          spot,
          `nothing says which record of ${resource.path} one of ${path} belongs to; say it there: members: { MEMBER: { names: ${resource.path} } }`,
        );
  }
  // A problem at a path is found for each of its operations.
  return [
    ...new Map(
      problems.map((problem) => [
        `${problem.uri}:${problem.line}:${problem.column} ${problem.message}`,
        problem,
      ]),
    ).values(),
  ];
}

/**
 * Whether the collection of a path exists, and its records do not say to which one of another collection they belong.
 * @param mayEmbed an object of that other collection in them is enough
 */
function isUnrelated(
  path: string,
  resource: Resource,
  resources: readonly Resource[],
  mayEmbed: boolean,
): boolean {
  const families = familiesOf(resources);
  const { sharedWith, showing = [] } = families.get(resource) ?? {};
  const child = [...families.keys()].find((key) => key.path === path);
  const isKin = child && families.get(child)?.kin.some(({ parent }) => parent === resource);
  const isEmbedding = mayEmbed && showing.some((one) => one.child === child);
  return child !== undefined && !isKin && !sharedWith && !isEmbedding;
}

type Add = (at: Spot, message: string) => void;
/** Returns why the document does not contain a name, or undefined. */
type Names = (kind: Named, name: string, at: Spot) => string | undefined;

function readerOf(names: Names, add: Add): Reader {
  const name = (kind: Named, text: string, at: Spot) => {
    const problem = names(kind, text, at);
    if (problem !== undefined) add(at, problem);
  };
  // Values of another form were already refused when they were read.
  return { wrong: () => {}, odd: add, name };
}

const NOUNS = {
  collection: 'collection of the document',
  query: 'query parameter of it',
  path: 'path parameter of it',
  header: 'header of its requests',
  record: 'the record',
  body: 'the body',
  response: 'the response',
  page: 'the response',
} as const;

interface Known {
  readonly record: Shape | undefined;
  readonly collections: readonly string[];
  readonly operations: readonly Operation[];
}

function namesOf(operation: Operation, { record, collections, operations }: Known): Names {
  const { path, parameters } = operation;
  const namesIn = (wanted: string, from = parameters) =>
    from.flatMap(({ in: place, name }) => (place === wanted ? [name] : []));
  const asked = (one: Operation) => [
    ...namesIn('query', one.parameters),
    ...(one.method === 'GET' ? [] : (bodyShape(one)?.properties.keys() ?? [])),
  ];
  return (kind, name, at) => {
    if (kind === 'status')
      return /^[1-5]\d\d$/.test(name)
        ? undefined
        : `${describeValue(name)} is no status; write one such as '422'`;
    if (kind === 'collection') return unknown(asPath(name), collections, NOUNS[kind]);
    if (kind === 'path') return unknown(name, pathParameters(path), NOUNS[kind]);
    if (kind === 'header') return unknown(name.toLowerCase(), namesIn(kind), NOUNS[kind]);
    if (kind === 'query') {
      const all = meantAt(at, operation, operations).flatMap(asked);
      // `filter[genre]` is either a parameter's name or a property of an object parameter `filter`.
      return unknown(all.includes(name) ? name : name.replace(/\[.*\]$/, ''), all, NOUNS[kind]);
    }
    if (name === MAKER && at.path.includes('where')) return undefined;
    const headers = kind === 'page' ? (successOf(operation)?.headers ?? []) : [];
    if (headers.some((header) => header.name.toLowerCase() === name.toLowerCase())) return undefined;
    const shapes = { record, body: bodyShape(operation) };
    return absent(name, kind in shapes ? shapes[kind as 'record'] : answerShape(operation), NOUNS[kind]);
  };
}

/** The operations that a fact applies to; a fact at a path applies to those of its operations that can use it. */
function meantAt(at: Spot, operation: Operation, operations: readonly Operation[]): readonly Operation[] {
  const isOwn = operation.spot.path.every((step, index) => at.path[index] === step);
  return isOwn ? [operation] : operations.filter((one) => one.path === operation.path);
}

/** The document's path that `of` probably means, if no such path exists and no other operation names it. */
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

/** Why the method or the responses of an operation do not allow its role. */
function wrongRole(operation: Operation): string | undefined {
  const { does, in: places } = operation.said.facts;
  if (does === undefined) return undefined;
  const isFit = (role: keyof typeof ROLES) => ROLES[role][1]?.some((one) => one === operation.method) ?? true;
  const answer = answerShape(operation);
  if (!isFit(does))
    return `${describeValue(does)} is no role of a ${operation.method}, which may be ${DOES.filter(isFit).join(', ')}`;
  if (answer?.mainType === 'array' && ['read', 'singleton'].includes(does))
    return `${describeValue(does)} shows one record, and the response is a list; say "list" or "view"`;
  if (answer && ['list', 'view'].includes(does) && answer.properties.size > 0 && !listPlace(operation))
    return 'the response has no list of records; say where: in: { records: MEMBER }, or "read"';
  return does === 'values' && places?.values === undefined
    ? 'it lists the values of a member; say which: in: { values: MEMBER }'
    : undefined;
}

function unknown(name: string, names: readonly string[], what: string): string | undefined {
  return names.includes(name)
    ? undefined
    : `${describeValue(name)} is no ${what}; ${didYouMean(name, names)}`;
}

/**
 * Returns why a schema does not describe a member, even if it is open. Undefined also for a schema that describes no
 * members at all.
 */
function absent(path: string, shape: Shape | undefined, what: string): string | undefined {
  let here: Shape | undefined = shape;
  const steps = path.split('.');
  for (const [index, name] of steps.entries()) {
    const object: Shape | undefined = here?.items ?? here;
    // A member's name may contain dots.
    if (!object || memberShape(object, steps.slice(index).join('.'))) return undefined;
    const names = [object, ...object.alternatives].flatMap(({ properties }) => [...properties.keys()]);
    if (names.length === 0) return undefined;
    here = memberShape(object, name);
    if (!here) {
      const problem = `${what} has no member ${describeValue(name)}; ${didYouMean(name, names).replace(/there (?:are|is)/, 'it has')}`;
      const target = what === NOUNS.record ? targetOf(object.spot) : undefined;
      if (target === undefined || problem.endsWith('?') || /^\W/.test(name)) return problem;
      const lines = `{ target: ${JSON.stringify(target)}, update: { properties: { ${name}: { type: string } } } }`;
      return `${problem}. Where records have it all the same, add it to the actions of an overlay: ${lines}`;
    }
  }
  return undefined;
}
