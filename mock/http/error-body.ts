import {
  errorRoles,
  foldedName,
  isRecord,
  oncePer,
  roughlyFits,
  type Shape,
  sample,
  setOf,
  stringifyJson,
} from '#spec';
import {
  type At,
  codesOf,
  DEMANDED,
  type ErrorFacts,
  isLocation,
  isText,
  locationOf,
  memberPath,
  OF_DETAIL,
  phraseOf,
  sentence,
  WHOLE,
} from './error-members.ts';
import type { Detail } from './exchange.ts';

const BODY = {
  ...{ name: '', siblings: new Map(), message: undefined, isRequired: true },
  ...{ isItem: false, detail: undefined, isLocated: false, isSaid: false, depth: 0 },
};

const MAX_DEPTH = 6;

/** Members that have what was wrong, as a list or a map; so do those whose names end with two of these. */
const LISTS = setOf(
  'error errors violations issues fields problems causes failures detail details message messages fullmessages reason reasons \
invalid invalidparams invalidparameters invalidfields invalidproperties invalidattributes',
);
const isProblems = (name: string) =>
  LISTS.has(name) || name.endsWith('errors') || name.endsWith('violations');

/** Members that have what is not about any member. */
const GENERAL = setOf('body base errors nonfielderrors message messages details general global schema');

/** Objects that state the error, too, where they may be left out. */
const INNER = setOf('error errors fault problem failure exception status extensions source');

const PATHS = setOf('loc path location');
const ISSUE = setOf('defaultmessage errormsg text info problem issue');
const WHAT = setOf('issue problem text info code errorcode constraint rule');

/**
 * A sample of a documented error schema, in which each fact stands in the members whose name and type ask for it: a list
 * or a map of what was wrong has one entry for each detail. What is not understood is left out where it may be.
 * @param examples what the document shows as such a body: how codes, moments and paths are written there
 */
export function errorBody(shape: Shape, examples: readonly unknown[], facts: ErrorFacts): unknown {
  const at: At = { ...BODY, shape, shown: [...shape.examples, ...examples] };
  const made = stated(facts, at) ?? neutral(facts, at);
  if (!isRecord(made) || shape.properties.size > SMALL) return made;
  // A small body has one member for the text, whatever its name is.
  const texts = [facts.message, ...facts.details.map(({ message }) => message)];
  if (texts.some((one) => stringifyJson(made).includes(JSON.stringify(one).slice(1, MARKED)))) return made;
  const [free] =
    [...shape.properties].find(([name, own]) => !(name in made) && fits(own, facts.message)) ?? [];
  return free === undefined ? made : { ...made, [free]: facts.message };
}

const SMALL = 4;

/** What is left of a text that is shortened. */
const MARKED = 8;

/** Undefined: nothing can be said there. */
function stated(facts: ErrorFacts, at: At, isKeyed = false): unknown {
  if (at.depth > MAX_DEPTH) return undefined;
  for (const shape of branchesOf(at.shape, isKeyed)) {
    const value = statedAs(facts, { ...at, shape });
    if (value !== undefined) return value;
  }
  return undefined;
}

function statedAs(facts: ErrorFacts, at: At): unknown {
  const { shape, name, isRequired } = at;
  if (shape.mainType === 'array') return listOf(facts, at);
  if (shape.properties.size > 0)
    return isRequired || INNER.has(name) || isProblems(name) ? objectOf(facts, at) : undefined;
  if (shape.mainType !== 'object') return scalarOf(facts, at);
  return name === '' || isProblems(name) ? mapOf(facts, at) : undefined;
}

/** What states more comes first: lists, maps and objects before texts; in a map no further map. */
function branchesOf(shape: Shape, isKeyed = false): readonly Shape[] {
  const branches = shape.alternatives.filter(({ mainType }) => mainType !== 'null');
  if (branches.length === 0) return [shape];
  const rank = ({ mainType, properties }: Shape) => {
    if (mainType === 'array') return 0;
    if (properties.size > 0) return 2;
    return mainType === 'object' ? (isKeyed ? 3 : 1) : 4;
  };
  return [...branches].sort((one, other) => rank(one) - rank(other));
}

function objectOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isItem } = at;
  const { message, siblings, members, hasPlace } = membersOf(shape);
  const isWhole = [...siblings].filter(([one, own]) => WHOLE.has(one) && own.mainType !== 'array').length > 1;
  if (isProblems(name) && message === undefined && !isItem && !isWhole) return mapOf(facts, at);
  const isLocated = at.isLocated || hasPlace;
  const isSaid = at.isSaid || message !== undefined;
  const made: Record<string, unknown> = {};
  for (const { key, plain, own, isRequired } of members) {
    const shown = at.shown.filter(isRecord).flatMap((one) => (Object.hasOwn(one, key) ? [one[key]] : []));
    const member: At = {
      ...{ ...at, shape: own, name: plain, siblings, isRequired, isLocated, isSaid, message },
      ...{ shown: [...own.examples, ...shown], depth: at.depth + 1 },
    };
    const value = stated(facts, member) ?? (isRequired ? neutral(facts, member) : undefined);
    if (value !== undefined) made[key] = value;
  }
  for (const key of shape.required.keys()) if (!shape.properties.has(key)) made[key] = facts.message;
  return at.isRequired || Object.keys(made).length > 0 ? made : undefined;
}

/** The members of an object, which of them is the message, and whether one says where. */
const membersOf = oncePer((shape: Shape) => {
  const { properties, required } = shape;
  const message = messageOf(shape);
  const members = [...properties].map(([key, own]) => ({
    ...{ key, plain: foldedName(key), own, isRequired: required.has(key) },
  }));
  return {
    ...{
      members,
      message: message && foldedName(message),
      siblings: new Map(members.map((one) => [one.plain, one.own])),
    },
    hasPlace: members.some(({ plain }) => isLocation(plain)),
  };
});

/** Where a list has the messages, `title` and `error` name the status. */
function messageOf(shape: Shape): string | undefined {
  const { message } = errorRoles(shape);
  const isBeside = [...shape.properties].some(([key, { mainType }]) => {
    if (mainType !== 'array' && mainType !== 'object') return false;
    const name = foldedName(key);
    return message === 'title' ? isProblems(name) : message === 'error' && name.startsWith('message');
  });
  return isBeside ? undefined : message;
}

/** From the path of a member to what was wrong with it: a map, or an object whose members are called so. */
function mapOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isSaid, shown } = at;
  const { properties, additional } = shape;
  const isClosed = shape.all('additionalProperties').some(({ value }) => value === false);
  const isNamed = properties.size > 0;
  const isFree = additional === undefined;
  if (!isNamed && (isClosed || (isFree && name === ''))) return undefined;
  if (facts.details.length === 0 && isSaid) return undefined;
  const general = isNamed ? [...properties.keys()].find((key) => GENERAL.has(foldedName(key))) : 'base';
  const groups = Map.groupBy(facts.details, (detail) => {
    const path = memberPath(detail);
    const [first = ''] = path.split('.', 1);
    return isNamed ? (properties.has(first) ? first : general) : path;
  });
  if (facts.details.length === 0) groups.set(general, []);
  const isOfTexts = isFree && shown.some((one) => isRecord(one) && Object.values(one).some(isText));
  const made: Record<string, unknown> = {};
  for (const [key, own] of [...groups].slice(0, shape.lowest('maxProperties'))) {
    if (key === undefined) continue;
    const value = keyed(facts, { ...at, isLocated: key !== general }, properties.get(key) ?? additional, own);
    if (value !== undefined) made[key] = isOfTexts && Array.isArray(value) ? value.join('; ') : value;
  }
  for (const [key, own] of properties)
    if (shape.required.has(key) && !Object.hasOwn(made, key))
      made[key] = neutral(facts, { ...at, shape: own, shown: own.examples });
  return made;
}

/** What was wrong with one member, in the form that the schema of a map's values has. */
function keyed(facts: ErrorFacts, at: At, shape: Shape | undefined, own: readonly Detail[]): unknown {
  const texts = own.length > 0 ? own.map((one) => textOf(one, at)) : [facts.message];
  const [branch] = shape ? branchesOf(shape, true) : [];
  if (!branch) return texts;
  if (branch.mainType === 'string') return texts.join('; ');
  const isList = branch.mainType === 'array';
  const item = isList ? branch.items : branch;
  if (!item || (isList && (item.mainType ?? 'string') === 'string')) return texts;
  const inner = { ...at, shape: item, isItem: true, isRequired: true, isSaid: false, depth: at.depth + 1 };
  const all = own.length > 0 ? own : [undefined];
  const made = all.map((detail) => stated(facts, { ...inner, shown: item.examples, detail }, true));
  return isList ? made : made[0];
}

/** A list of what was wrong, in objects or in texts; or of the steps that lead to it. */
function listOf(facts: ErrorFacts, at: At): unknown[] | undefined {
  const { shape, name, detail, isItem } = at;
  const kinds = shape.items ? branchesOf(shape.items) : [];
  const isOfTexts = kinds.every(({ values }) => !values) && (kinds.length === 0 || kinds.some(isOfText));
  if (isItem && isOfTexts && PATHS.has(name)) {
    const { place, steps } = detail ? locationOf(detail) : { place: '', steps: [] };
    const whole = name === 'path' ? steps : [place, ...steps];
    const isOfNumbers = kinds.some(({ mainType }) => mainType === 'integer' || mainType === 'number');
    return detail && (isOfNumbers ? whole : whole.map(String));
  }
  const details = detail ? [detail] : facts.details;
  if (details.length === 0 && at.isSaid) return undefined;
  const all = (details.length > 0 ? details : [undefined]).slice(0, shape.lowest('maxItems'));
  const item = kinds.find((kind) => isStating(kind, name));
  const shown = [...(item?.examples ?? []), ...at.shown.flatMap((one) => (Array.isArray(one) ? one : []))];
  const inner = { ...at, shown, isItem: true, isRequired: true, isSaid: false, depth: at.depth + 1 };
  if (item && !name.startsWith('warn'))
    return all.flatMap((one) => objectOf(facts, { ...inner, shape: item, detail: one }) ?? []);
  if (!isOfTexts || !(name === '' || GENERAL.has(name) || isProblems(name))) return undefined;
  return [...new Set(all.map((one) => (one ? textOf(one, at) : facts.message)))];
}

const isOfText = ({ mainType }: Shape) => mainType === 'string';

/** Whether an object of a list says what was wrong: in a text, or by a code beside its place. */
function isStating(shape: Shape, list: string): boolean {
  const names = [...shape.properties.keys()].map(foldedName);
  if (errorRoles(shape).message !== undefined || names.includes('defaultmessage')) return true;
  return isProblems(list) && names.some((one) => isLocation(one)) && names.some((one) => WHAT.has(one));
}

/** The value of a scalar by its name; undefined: its name says nothing, or only where the schema demands it. */
function scalarOf(facts: ErrorFacts, at: At): unknown {
  const { name, shape, detail, isItem, isRequired } = at;
  const isMessage = name === at.message || (isItem && at.message === undefined && ISSUE.has(name));
  if (name === '' || isMessage) {
    if (shape.values) return codesOf(facts, at).find((value) => fits(shape, value));
    return shape.mainType === 'string' || isMessage ? shortened(shape, textIn(facts, at)) : undefined;
  }
  const ofDetail = (detail && OF_DETAIL.get(name)?.(detail, at, facts)) ?? [];
  const wholes = isRequired ? [WHOLE, DEMANDED] : [WHOLE];
  const valuesOf = isItem && isLocation(name) ? undefined : wholes.map((one) => one.get(name)).find(Boolean);
  const only = valuesOf && shape.values?.length === 1 ? shape.values : [];
  return [...ofDetail, ...(valuesOf?.(facts, at) ?? []), ...only].find((value) => fits(shape, value));
}

const textIn = ({ message }: ErrorFacts, at: At) => (at.detail ? textOf(at.detail, at) : message);
const textOf = (detail: Detail, { isLocated }: At) => (isLocated ? detail.message : sentence(detail));

/** A text that is longer than its schema allows loses its end. */
function shortened(shape: Shape, text: string): string {
  const longest = shape.lowest('maxLength');
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

function fits(shape: Shape, value: unknown): boolean {
  if (value === undefined || !roughlyFits(shape, value)) return false;
  const { alternatives } = shape;
  return alternatives.length === 0 || alternatives.some((branch) => roughlyFits(branch, value));
}

/** What is demanded and understood by nobody: what the document shows, the message where nothing else has it, or least. */
function neutral(facts: ErrorFacts, at: At): unknown {
  const { shape, shown, isSaid, depth } = at;
  const isObject = shape.properties.size > 0 && shape.alternatives.length === 0 && depth <= MAX_DEPTH;
  if (isObject && at.name !== '') return objectOf(facts, { ...at, isItem: true, isRequired: true });
  const isPlain = isOfText(shape) && !shape.values && !shape.find('format') && !shape.find('pattern');
  const text = isPlain ? [shortened(shape, isSaid ? phraseOf(facts) : facts.message)] : [];
  const least = [...(shape.values ? [] : [null, false, 0, []]), ...text];
  const known = [...(isSaid ? [] : text), ...shown, ...least].find((value) => fits(shape, value));
  return known === undefined ? sample(shape, { key: 'error', include: () => false }) : known;
}
