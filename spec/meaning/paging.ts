import type { Operation } from '../operation.ts';
import type { Header, Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import {
  countShape,
  DEEPEST,
  headerSigns,
  membersOf,
  type PageHeader,
  type PageMember,
  type PageParameters,
  type RecordsPlace,
  textShape,
} from './page-members.ts';
import {
  END,
  FIRSTS,
  ID_CURSOR_NAMES,
  INVALID,
  NOT_REFUSED,
  PARAMETERS,
  type PageRole,
  pageName,
  REFUSED,
  SAID_OF,
} from './page-names.ts';
import { has, isTakenBack, sentencesIn, spoken, textOf, textOfParameter } from './words.ts';

/** How a list comes in pages: what asks for one, and what a response says of it. */
export interface Paging extends PageParameters {
  /** Of each parameter that it has. */
  readonly bases: Readonly<Partial<Record<PageRole, Basis>>>;
  readonly members: readonly PageMember[];
  readonly headers: readonly PageHeader[];
  /** What is said of the number of the first page. */
  readonly first?: FirstPosition | undefined;
}

/** What a list documents, and what is known of it. */
interface DocumentedList {
  /** Its query parameters that have no other role. */
  readonly parameters: readonly Parameter[];
  /** The schema of the response's body. */
  readonly answer?: Shape | undefined;
  readonly place?: RecordsPlace;
  readonly headers?: readonly Header[];
  /** The parameters of which `x-paddock` says so. */
  readonly chosen?: Partial<PageParameters>;
  readonly said?: Operation['said'];
}

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
  const role = PARAMETERS.get(pageName(parameter.name));
  return role !== undefined && role !== 'cursor' && countShape(parameter) !== undefined;
}

/** Whether a cursor is the id of the last record of the page before. */
export const takesId = ({ name }: Parameter): boolean => ID_CURSOR_NAMES.has(pageName(name));

/** Whether the document says that the id of the last record leads to the next page. */
export const isIdOfLast = (cursor: Parameter): boolean =>
  takesId(cursor) && says(cursor, ID) && says(cursor, SAID_OF.cursor);

const ID = ['id', 'ids', 'identifier'];
const says = (one: Parameter, phrases: readonly string[]) => has(spoken(textOfParameter(one)), phrases);

/** Whether the document says that what is no cursor of the service is refused with 400. */
export function statesCursorRefused({ responses, spot, said }: Operation, cursor: Parameter): boolean {
  if (said.facts.refuses?.['400'] === 'cursor') return true;
  const refusal = responses.find(({ key }) => key === '400');
  if (!refusal) return false;
  const isSaid = (one: string) =>
    has(one, INVALID) &&
    has(one, ['cursor', 'page token', spoken(cursor.name).trim()]) &&
    !has(one, NOT_REFUSED);
  if (isSaid(spoken(textOf(refusal.spot)))) return true;
  const sentences = [cursor.spot, spot].flatMap((one) => sentencesIn(textOf(one)));
  return sentences.some((one) => isSaid(one) && has(one, REFUSED));
}

/** How a list comes in pages, by the names and types of what it documents. */
export function pagingOf(list: DocumentedList): Paging {
  const parameters = pageParameters(list);
  const { answer, place = { member: undefined, within: undefined }, headers = [], said } = list;
  const { page = {}, first } = said?.facts ?? {};
  const found = {
    members: (answer ? membersOf(answer, place, parameters) : []).filter((one) => !page[one.path.join('.')]),
    headers: headers.flatMap((one) => (page[one.name] ? [] : headerSigns(one, parameters))),
  };
  for (const [name, sign] of Object.entries(page)) {
    const header = headers.find((one) => one.name === name);
    const path = name.split('.');
    const shape = header
      ? header.shape
      : path.reduce<Shape | undefined>((at, one) => at?.properties.get(one), answer);
    const basis = shape && basisOf(['said'], said?.at('page', name) ?? shape.spot);
    if (shape && basis && header) found.headers.push({ says: sign, name, shape, ...basis });
    else if (shape && basis && sign !== 'links') found.members.push({ says: sign, path, shape, ...basis });
  }
  const spot = said?.at('first');
  return {
    ...{ ...parameters, ...found, bases: basesOf(list, parameters, [...found.members, ...found.headers]) },
    first: first === undefined || !spot ? undefined : { value: first, ...basisOf(['said'], spot) },
  };
}

/** With one of these `start` is no position of a page: both are bounds. */
const RANGE_ENDS = ['end', 'stop', 'to', 'until'];

function pageParameters({ parameters, answer, chosen }: DocumentedList): PageParameters {
  const names = new Set(parameters.map(({ name }) => pageName(name)));
  const isRange = RANGE_ENDS.some((name) => names.has(name));
  const known = parameters.filter((one) => !isTakenBack(one) && !(isRange && pageName(one.name) === 'start'));
  const counting = (role: PageRole) =>
    known.find((one) => PARAMETERS.get(pageName(one.name)) === role && countShape(one));
  const [pageSize, offset, page] = [counting('pageSize'), counting('offset'), counting('page')];
  const named = new Set(answer ? namesIn(answer, DEEPEST) : []);
  const others = known.filter((one) => one !== pageSize && one !== offset && one !== page);
  return { pageSize, offset, page, cursor: others.find((one) => isCursor(one, named)), ...chosen };
}

/** The name is one sign; limits, other parameters or members for the same pages are another, and so are words. */
function basesOf(
  { chosen }: DocumentedList,
  parameters: PageParameters,
  told: readonly (PageMember | PageHeader)[],
): Paging['bases'] {
  const given = (Object.entries(parameters) as [PageRole, Parameter | undefined][]).flatMap(
    ([role, parameter]) => (parameter ? [{ role, parameter }] : []),
  );
  // A total alone may be a sum.
  const isToldOfPage = told.some(({ says: what, certainty }) => what !== 'total' && certainty === 'promised');
  const signsOf = (role: PageRole, parameter: Parameter): Sign[] => {
    if (chosen?.[role]) return ['said'];
    const isPaged = given.length > 1 || isToldOfPage || (role === 'pageSize' && hasPageLimits(parameter));
    const isSaid = says(parameter, SAID_OF[role]);
    return ['name', ...(isPaged ? (['schema'] as const) : []), ...(isSaid ? (['words'] as const) : [])];
  };
  return Object.fromEntries(
    given.map(({ role, parameter }) => [role, basisOf(signsOf(role, parameter), parameter.spot)]),
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
  const name = pageName(parameter.name);
  const text = textShape(parameter.shape);
  // A moment is a bound, and no page.
  const format = String(text?.find('format')?.value ?? '');
  if (format.startsWith('date') || format === 'time' || !(text ?? countShape(parameter))) return false;
  if (PARAMETERS.get(name) === 'cursor' || named.has(`next${name}`)) return true;
  return name === 'since' && !text && says(parameter, ID);
}

function namesIn({ properties }: Shape, depth: number): string[] {
  return [...properties].flatMap(([name, inner]) => [
    pageName(name),
    ...(depth > 0 && inner.mainType === 'object' ? namesIn(inner, depth - 1) : []),
  ]);
}

/** The value of a parameter that asks for the first page. */
export interface FirstPosition extends Basis {
  readonly value: number;
}

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
  const first = (value: number, ...signs: readonly Sign[]): FirstPosition => ({
    ...{ value, ...basisOf(['name', ...signs], parameter.spot) },
  });
  const given = shape.find('default');
  if (given?.value === 0 || given?.value === 1)
    return { value: given.value, ...basisOf(['said'], given.spot) };
  const name = pageName(parameter.name);
  const least = shape.find('minimum')?.value;
  const isPage = PARAMETERS.get(name) === 'page';
  const isOffset = !isPage && (name.includes('offset') || name.includes('skip'));
  if (least === 1 && !isOffset) return first(1, 'schema');
  if (isOffset || (least === 0 && !isPage)) return first(0, 'schema');
  const stated = isPage ? FIRSTS.findIndex((phrases) => says(parameter, phrases)) : -1;
  if (stated >= 0) return first(stated, 'words');
  const isNumber = members.some(({ says: what, path }) => what === 'page' && path.at(-1) === 'number');
  return first(!isPage || least === 0 || isNumber ? 0 : 1);
}

const NEXT: readonly PageHeader['says'][] = ['links', 'next url', 'next cursor', 'next page', 'next offset'];

/** What says where the next page is, the surest first. */
export function nextSigns({ members, headers }: Paging): readonly (PageMember | PageHeader)[] {
  const all = [...headers, ...members];
  return NEXT.flatMap((says) => all.filter((one) => one.says === says));
}

/** Whether the document says how the last page is told: by null, by a flag, or in words. */
export function tellsEnd(paging: Paging): boolean {
  const all = [...paging.headers, ...paging.members].filter(({ certainty }) => certainty === 'promised');
  const isTold = ({ shape, because }: PageMember | PageHeader) =>
    isNullable(shape) || has(spoken(textOf(because)), END);
  return all.some((one) => one.says === 'has more' || (NEXT.includes(one.says) && isTold(one)));
}
