import { oncePer } from '../json/once-per.ts';
import { sumOf } from '../meaning/agreements.ts';
import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import {
  findNamed,
  foldedName,
  isSummaryName,
  sameName,
  setOf,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { COUNTS, has, PARTLY, SUMS, spoken, textOf } from '../meaning/words.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import { type Operation, pathForm } from '../operation.ts';
import { Shape } from '../schema/shape.ts';
import { familiesOf } from './families.ts';
import { listForm, queryFacts } from './list-form.ts';
import { lastSegment, recordName, withoutSuffix } from './paths.ts';
import { answerShape, memberShape, memberWith, shapeAt } from './record-schema.ts';
import type { Described, ListForm, ListPlace, Resource } from './resource.ts';

/** A number that follows from the records of a collection: their count, or the sum of a member. */
export interface Tally extends Basis {
  /** The path of the number in the response of a summary, or in a record. */
  readonly path: readonly string[];
  readonly shape: Shape;
  readonly of: Resource;
  /** The member to add up; undefined: count the records. */
  readonly sum?: string | undefined;
  /** The number is an object with one number for each value of this member. */
  readonly by?: string | undefined;
  /** Only records with this value of a member. */
  readonly where?: readonly [property: string, value: unknown] | undefined;
}

type Counted = Pick<Tally, 'sum' | 'by' | 'where'>;

/** Words for counting, and for adding up, in the names of numbers. */
const COUNTING = setOf('count counts total totals num number of all no nb qty');
const SUMMING = setOf('total sum of all');
const GROUPING = setOf('by per count counts total totals each');

/** How the query of a summary selects the records that it counts: as that of a list of them would. */
export function summarySelection(operation: Operation, { shape }: Pick<Resource, 'shape'>): ListForm {
  const paging = { pageSize: undefined, offset: undefined, page: undefined, cursor: undefined };
  return { ...listForm(operation, NOWHERE, shape), ...paging, order: undefined };
}

const NOWHERE: ListPlace = { member: undefined, within: undefined };

/** The counts and sums in an operation's summary, by the names and types of its members. */
export const talliesOf = oncePer(readSummary);

function readSummary(operation: Operation, { resources }: Pick<Described, 'resources'>): readonly Tally[] {
  const answer = answerShape(operation);
  const { facts, at } = operation.said;
  if (!answer || operation.method !== 'GET') return [];
  if (facts.tallies)
    return Object.entries(facts.tallies).flatMap(([name, { of, sum, by, where = {} }]): Tally[] => {
      const path = name.split('.');
      const [shape, resource] = [shapeAt(answer, path), resources.find((one) => one.path === of)];
      const basis = basisOf(['said'], at('tallies', name) ?? operation.spot);
      return shape && resource
        ? [{ path, shape, of: resource, sum, by, where: Object.entries(where)[0], ...basis }]
        : [];
    });
  const path = withoutSuffix(operation.path);
  if (!isSummaryName(lastSegment(path) ?? '') || isPartly(textOf(operation.spot))) return [];
  const above = path.slice(0, path.lastIndexOf('/'));
  const home = resources.find((resource) => resource.path === above && resource.list);
  const selecting = new Set(
    home ? queryFacts(summarySelection(operation, home)).map(({ name }) => name) : [],
  );
  const isOpen = operation.parameters.some(
    ({ in: place, name, required, shape }) =>
      place === 'query' && !selecting.has(name) && (required || shape.find('default')),
  );
  if (isOpen) return [];
  // A summary of everything leaves out collections below a record.
  const others = home ? [] : resources.filter((resource) => resource.list && !resource.path.includes('{'));
  return [...numbersIn(answer, [])].flatMap(([at, shape]): Tally[] => {
    const name = at.at(-1) ?? '';
    if (isPartly(`${name}. ${shape.parts.map(textOf).join(' ')}`)) return [];
    const counted = home ?? others.find((resource) => countsOf(name, resource));
    const read = counted && readNumber(name, shape, counted, answer);
    if (!counted || !read) return [];
    const { signs, ...tally } = read;
    // With several collections only the name is a sign.
    const basis = basisOf(home ? signs : signs.slice(0, 1), shape.spot);
    return [{ path: at, shape, of: counted, ...tally, ...basis }];
  });
}

const isPartly = (text: string) => has(spoken(text), PARTLY);

/** The numbers of a response, and the objects of only numbers, with their paths. */
function* numbersIn(shape: Shape, path: readonly string[]): Generator<[readonly string[], Shape]> {
  const members = [...shape.properties];
  const inner = members.length > 0 ? members.map(([, one]) => one) : [shape.additional];
  if (shape.isNumeric || (path.length > 0 && inner.every((one) => one?.isNumeric))) yield [path, shape];
  if (shape.mainType !== 'object' || path.length > 2) return;
  for (const [name, member] of members) yield* numbersIn(member, [...path, name]);
}

/** Whether a name counts the records of a collection: `total_orders`, `orderCount`, `orders`. */
function countsOf(name: string, { path }: Resource): boolean {
  const rest = wordsBut(name, COUNTING);
  return rest !== '' && singularName(rest) === foldedName(recordName(path));
}

/** The words of a name without those of a set. */
const wordsBut = (name: string, but: ReadonlySet<string>) =>
  wordsOf(name)
    .filter((word) => !but.has(word))
    .join('_');

function readNumber(
  name: string,
  shape: Shape,
  of: Resource,
  answer: Shape,
): (Counted & { readonly signs: readonly (Sign | false)[] }) | undefined {
  const text = spoken(shape.parts.map(textOf).join(' '));
  const members = [...of.shape.properties];
  const asCounted = has(text, COUNTS) && 'words';
  if (!shape.isNumeric) {
    const names = Shape.of(shape.all('propertyNames').map(({ spot }) => spot)).values ?? [];
    const keys = shape.properties.size > 0 ? [...shape.properties.keys()] : names;
    const isOf = (_: string, { values }: Shape) =>
      keys.length > 0 && values !== undefined && keys.every((key) => values.includes(key));
    const named = findNamed(of.shape.properties.keys(), wordsBut(name, GROUPING));
    const by = named ?? memberWith(of.shape, isOf);
    const member = by === undefined ? undefined : memberShape(of.shape, by);
    if (by === undefined || !member || (keys.length > 0 && !isOf(by, member))) return undefined;
    return { by, signs: [named !== undefined && 'name', keys.length > 0 && 'schema', asCounted] };
  }
  const numbers = members.filter(([, one]) => one.isNumeric).map(([one]) => one);
  const stem = wordsBut(name, SUMMING);
  const sum = findNamed(numbers, name) ?? (stem === '' ? undefined : findNamed(numbers, stem));
  if (sum !== undefined && !asCounted) return { sum, signs: ['name', has(text, SUMS) && 'words'] };
  if (shape.mainType !== 'integer') return undefined;
  const rest = wordsBut(name, COUNTING);
  if (rest === '' || countsOf(name, of)) {
    // `total` beside `count` is no count.
    const isOther =
      foldedName(name) === 'total' && findNamed(answer.properties.keys(), 'count') !== undefined;
    return isOther ? undefined : { signs: ['name', asCounted] };
  }
  const values = members.flatMap(([one, { values: all = [] }]) => all.map((value) => [one, value] as const));
  const where = values.find(([, value]) => sameName(String(value), rest));
  return where && { where, signs: ['name', 'schema'] };
}

/** The members of records that count records of another collection that belong to them: `comment_count`. */
export const countsIn = oncePer(readCounts);

function readCounts(resource: Resource, resources: readonly Resource[]): readonly Tally[] {
  const numbers = [...resource.shape.properties].filter(
    ([, shape]) =>
      shape.mainType === 'integer' || (shape.mainType === 'string' && !shape.values && !shape.find('format')),
  );
  const { members: said = {} } = saidOfRecord(resource.shape).facts;
  const families = familiesOf(resources);
  const children = [
    ...[...families].flatMap(([child, { kin, sharedWith }]) =>
      !sharedWith && kin.some(({ parent }) => parent === resource) ? [child] : [],
    ),
    ...(families.get(resource)?.showing ?? []).map(({ child }) => child),
  ];
  return numbers.flatMap(([name, shape]): Tally[] => {
    const told = said[name]?.counts;
    const isCount = wordsOf(name).some((word) => COUNTING.has(word));
    const text = shape.parts.map(textOf).join(' ');
    const of = children.find((child) =>
      told === undefined ? isCount && countsOf(name, child) && !isPartly(text) : child.path === told,
    );
    // If the record has such a list itself, the number counts that list.
    if (!of || (told === undefined && resource.shape.properties.has(recordName(of.path)))) return [];
    // A `total` need not be a count: of cards it may be a planned number.
    const bySelf = told !== undefined ? 'said' : !isTotal(name) && 'name';
    const signs = [bySelf, isBelow(of, resource) && 'path', has(spoken(text), COUNTS) && 'words'] as const;
    return [{ path: [name], shape, of, ...basisOf(signs, shape.spot) }];
  });
}

const isTotal = (name: string) => wordsOf(name).some((word) => word.startsWith('total'));

/** Whether a collection's records are listed below a record of another one. */
export const isBelow = ({ actions }: Resource, { path, id }: Resource): boolean =>
  id?.parameter !== undefined && pathForm(actions.list?.path ?? '').startsWith(`${pathForm(path)}/{}/`);

/** The value of a tally over records: a number, or one for each value of a member. */
export function tallied(
  { sum, by, where }: Counted,
  records: readonly Readonly<Record<string, unknown>>[],
): number | Readonly<Record<string, number>> | undefined {
  const counted = where ? records.filter((record) => record[where[0]] === where[1]) : records;
  if (by !== undefined)
    return Object.fromEntries(
      [...Map.groupBy(counted, (record) => String(record[by]))].map(([value, all]) => [value, all.length]),
    );
  if (sum === undefined) return counted.length;
  const numbers = counted.map((record) => record[sum] ?? 0);
  return numbers.every((number) => typeof number === 'number') ? sumOf(numbers) : undefined;
}
