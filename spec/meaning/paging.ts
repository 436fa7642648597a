import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import { foldedName } from './names.ts';
import {
  countShape,
  DEEPEST,
  type DocumentedList,
  headerSigns,
  membersOf,
  type PageHeader,
  type PageMember,
  type PageParameters,
  textShape,
} from './page-members.ts';
import { ID_CURSORS, PARAMETERS, type PageRole } from './page-names.ts';
import { has, isTakenBack, spoken, textOf, textOfParameter } from './words.ts';

/** How a list comes in pages: what asks for one, and what a response says of it. */
export interface Paging extends PageParameters {
  /** Of each parameter that it has. */
  readonly bases: Readonly<Partial<Record<PageRole, Basis>>>;
  readonly members: readonly PageMember[];
  readonly headers: readonly PageHeader[];
  /** What is said of the number of the first page. */
  readonly first?: FirstPosition | undefined;
}

/** What descriptions say of a parameter or a member for pages. */
const WORDS: Readonly<Record<PageRole, readonly string[]>> = {
  pageSize: 'page size|per page|page|pages|number of|how many|maximum|at most|to return'.split('|'),
  offset: 'skip|skipped|offset|paging|pagination|page|pages'.split('|'),
  page: 'page number|number of the page|which page|pages|paging|pagination|page to'.split('|'),
  cursor: 'cursor|token|next page|pages|paging|pagination|page'.split('|'),
};
const END = [
  ...['last page', 'final page', 'no more', 'no further', 'no next', 'no other', 'no additional'],
  ...['list', 'result', 'results', 'page', 'pages', 'collection', 'records'].map(
    (one) => `end of the ${one}`,
  ),
];

/** A type alone allows billions: no page is that long. */
const LONGEST = 1000;

/** The longest page that a list is sensibly asked for; undefined: the document sets no bound. */
export function longestPage({ pageSize }: Pick<PageParameters, 'pageSize'>): number | undefined {
  const high = pageSize && countShape(pageSize)?.range.high?.value;
  return high === undefined ? undefined : Math.min(LONGEST, Number(high));
}

/** Whether null is among the values, in the schema itself or in an alternative. */
export function isNullable(shape: Shape): boolean {
  return [shape, ...shape.alternatives].some((one) => one.nullable || one.mainType === 'null');
}

/** Whether a parameter, or a member of a body, has a name for pages, and takes numbers. */
export function mayPage(parameter: Pick<Parameter, 'name' | 'shape'>): boolean {
  const role = PARAMETERS.get(foldedName(parameter.name));
  return role !== undefined && role !== 'cursor' && countShape(parameter) !== undefined;
}

/** Whether a cursor is the id of the last record of the page before. */
export function takesId({ name }: Parameter): boolean {
  return ID_CURSORS.includes(foldedName(name));
}

/** Whether the document says that the id of the last record leads to the next page. */
export function isIdOfLast(cursor: Parameter): boolean {
  return takesId(cursor) && statesId(cursor) && says(cursor, WORDS.cursor);
}

const says = (one: Parameter, phrases: readonly string[]) => has(spoken(textOfParameter(one)), phrases);
const statesId = (one: Parameter) => says(one, ['id', 'ids', 'identifier']);

/** How a list comes in pages, by the names and types of what it documents. */
export function pagingOf(list: DocumentedList): Paging {
  const parameters = pageParameters(list);
  const { answer, saidPage = new Map(), first } = list;
  const members = (answer ? membersOf(answer, list, parameters) : []).filter(
    ({ path }) => !saidPage.has(path.join('.')),
  );
  const open = list.headers.filter(({ name }) => !saidPage.has(name));
  const headers = open.flatMap((one) => headerSigns(one, parameters));
  for (const [name, { says, because }] of saidPage) {
    const path = name.split('.');
    const header = list.headers.find((one) => one.name === name);
    const shape = header ? header.shape : answer && shapeAt(answer, path);
    const fact = shape && { shape, says, ...basisOf(['said'], because) };
    if (fact && header) headers.push({ ...fact, name });
    else if (fact) members.push({ ...fact, path });
  }
  return {
    ...parameters,
    bases: basesOf(list, parameters, [...members, ...headers]),
    members,
    headers,
    first,
  };
}

/** With one of these `start` is no position of a page: both are bounds. */
const RANGE_ENDS = ['end', 'stop', 'to', 'until'];

function pageParameters({ parameters, answer, said }: DocumentedList): PageParameters {
  const names = new Set(parameters.map(({ name }) => foldedName(name)));
  const isRange = RANGE_ENDS.some((name) => names.has(name));
  const known = parameters.filter(
    (one) => !isTakenBack(one) && !(isRange && foldedName(one.name) === 'start'),
  );
  const counting = (role: PageRole) =>
    known.find((one) => PARAMETERS.get(foldedName(one.name)) === role && countShape(one));
  const [pageSize, offset, page] = [counting('pageSize'), counting('offset'), counting('page')];
  const named = new Set(answer ? namesIn(answer, DEEPEST) : []);
  const others = known.filter((one) => one !== pageSize && one !== offset && one !== page);
  return { pageSize, offset, page, cursor: others.find((one) => isCursor(one, named)), ...said };
}

/** The name is one sign; limits, other parameters or members for the same pages are another, and so are words. */
function basesOf(
  { said }: DocumentedList,
  parameters: PageParameters,
  told: readonly (PageMember | PageHeader)[],
): Paging['bases'] {
  const given = (Object.entries(parameters) as [PageRole, Parameter | undefined][]).flatMap(
    ([role, parameter]) => (parameter ? [{ role, parameter }] : []),
  );
  // A total alone may be a sum.
  const isToldOfPage = told.some(({ says: what, certainty }) => what !== 'total' && certainty === 'promised');
  return Object.fromEntries(
    given.map(({ role, parameter }) => {
      const isPaged = given.length > 1 || isToldOfPage;
      const isSchema = isPaged || (role === 'pageSize' && hasPageLimits(parameter));
      const signs: Sign[] = ['name', ...(isSchema ? (['schema'] as const) : [])];
      if (says(parameter, WORDS[role])) signs.push('words');
      return [role, basisOf(said?.[role] ? ['said'] : signs, parameter.spot)];
    }),
  );
}

/** A page has one record at least, and more than one at most. */
function hasPageLimits(parameter: Parameter): boolean {
  const shape = countShape(parameter);
  const { low, high } = shape?.range ?? {};
  const isLimited =
    high !== undefined || low?.value === 1 || typeof shape?.find('default')?.value === 'number';
  return isLimited && (low === undefined || low.value <= 1) && (high === undefined || high.value > 1);
}

/** By its own name, or by that of a member of the response which says the next one: `next_marker`, `nextPage`. */
function isCursor(parameter: Parameter, named: ReadonlySet<string>): boolean {
  const name = foldedName(parameter.name);
  const text = textShape(parameter.shape);
  // A moment is a bound, and no page.
  const format = String(text?.find('format')?.value ?? '');
  if (format.startsWith('date') || format === 'time') return false;
  if (!text && !countShape(parameter)) return false;
  if (PARAMETERS.get(name) === 'cursor' || named.has(`next${name}`)) return true;
  return name === 'since' && !text && statesId(parameter);
}

function namesIn({ properties }: Shape, depth: number): string[] {
  return [...properties].flatMap(([name, inner]) => [
    foldedName(name),
    ...(depth > 0 && inner.mainType === 'object' ? namesIn(inner, depth - 1) : []),
  ]);
}

/** The value of a parameter that asks for the first page. */
export interface FirstPosition extends Basis {
  readonly value: number;
}

const FIRSTS = [
  '0 based|zero based|0 indexed|zero indexed|from 0|from zero|at 0|at zero|page is 0|page is zero|with 0|0 n',
  '1 based|one based|1 indexed|one indexed|from 1|from one|at 1|at one|page is 1|page is one|with 1|1 n',
].map((text) => text.split('|'));

/**
 * Where pages, or records, are counted from: by a default, by a least value, by words. Generators write `minimum: 0` for any
 * type without a sign, so that alone it promises nothing of pages.
 */
export function firstPosition(
  parameter: Parameter,
  { members, first: said }: Pick<Paging, 'members' | 'first'>,
): FirstPosition {
  if (said) return said;
  const shape = countShape(parameter) ?? parameter.shape;
  const first = (value: number, signs: readonly Sign[], because = parameter.spot): FirstPosition => ({
    ...{ value, ...basisOf(signs, because) },
  });
  const given = shape.find('default');
  if (given?.value === 0 || given?.value === 1) return first(given.value, ['said'], given.spot);
  const name = foldedName(parameter.name);
  const least = shape.find('minimum')?.value;
  if (PARAMETERS.get(name) !== 'page') {
    const isOffset = name.includes('offset') || name.includes('skip');
    if (least === 1 && !isOffset) return first(1, ['name', 'schema']);
    return first(0, least === 0 || isOffset ? ['name', 'schema'] : ['name']);
  }
  if (least === 1) return first(1, ['name', 'schema']);
  const stated = FIRSTS.findIndex((phrases) => says(parameter, phrases));
  if (stated >= 0) return first(stated, ['name', 'words']);
  const isNumber = members.some(({ says: what, path }) => what === 'page' && path.at(-1) === 'number');
  return first(least === 0 || isNumber ? 0 : 1, ['name']);
}

/** What says where the next page is, the surest first. */
export function nextSigns({ members, headers }: Paging): readonly (PageMember | PageHeader)[] {
  const all = [...headers, ...members];
  const order: readonly PageHeader['says'][] = [
    'links',
    'next url',
    'next cursor',
    'next page',
    'next offset',
  ];
  return order.flatMap((says) => all.filter((one) => one.says === says));
}

/** Whether the document says how the last page is told: by null, by a flag, or in words. */
export function tellsEnd(paging: Paging): boolean {
  const all = [...paging.headers, ...paging.members];
  if (all.some(({ says, certainty }) => says === 'has more' && certainty === 'promised')) return true;
  return nextSigns(paging).some(
    ({ shape, because, certainty }) =>
      certainty === 'promised' && (isNullable(shape) || has(spoken(textOf(because)), END)),
  );
}

const shapeAt = (answer: Shape, path: readonly string[]) =>
  path.reduce<Shape | undefined>((at, name) => at?.properties.get(name), answer);
