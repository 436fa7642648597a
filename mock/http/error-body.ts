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
  name: '',
  siblings: new Map(),
  message: undefined,
  isRequired: true,
  isItem: false,
  detail: undefined,
  isLocated: false,
  isSaid: false,
  depth: 0,
};

const MAX_DEPTH = 6;

/** Members with a list or map of errors; also names that end with two of these words. */
const LISTS = setOf(
  'error errors violations issues fields problems causes failures detail details message messages fullmessages reason reasons \
invalid invalidparams invalidparameters invalidfields invalidproperties invalidattributes',
);
const isProblems = (name: string) =>
  LISTS.has(name) || name.endsWith('errors') || name.endsWith('violations');

/** Members for errors that concern no single member. */
const GENERAL = setOf('body base errors nonfielderrors message messages details general global schema');

/** Objects with the error, which are filled in even if they are optional. */
const INNER = setOf('error errors fault problem failure exception status extensions source');

const PATHS = setOf('loc path location');
const ISSUE = setOf('defaultmessage errormsg text info problem issue');
const WHAT = setOf('issue problem text info code errorcode constraint rule');

/**
 * A sample of a documented error schema, whose members hold facts by name and type: a list or map of errors has one entry
 * per detail. Optional members without a known meaning are left out.
 * @param examples the documented error bodies, which show the format of codes, times and paths
 */
export function errorBody(shape: Shape, examples: readonly unknown[], facts: ErrorFacts): unknown {
  const at: At = { ...BODY, shape, examples: [...shape.examples, ...examples] };
  const made = stated(facts, at) ?? neutral(facts, at);
  if (!isRecord(made) || shape.properties.size > SMALL) return made;
  // In a small body, any free text member takes the message if no other has it.
  const texts = [facts.message, ...facts.details.map(({ message }) => message)];
  if (texts.some((text) => stringifyJson(made).includes(JSON.stringify(text).slice(1, MARKED)))) return made;
  const [free] =
    [...shape.properties].find(([name, member]) => !(name in made) && fits(member, facts.message)) ?? [];
  return free === undefined ? made : { ...made, [free]: facts.message };
}

const SMALL = 4;

/** How many characters of a text must appear for it to count as stated. */
const MARKED = 8;

/** Undefined: there is nothing to say here. */
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

/** Forms that say most come first: lists, maps and objects before texts; a map contains no further map. */
function branchesOf(shape: Shape, isKeyed = false): readonly Shape[] {
  const branches = shape.alternatives.filter(({ mainType }) => mainType !== 'null');
  if (branches.length === 0) return [shape];
  const rank = ({ mainType, properties }: Shape) => {
    if (mainType === 'array') return 0;
    if (properties.size > 0) return 2;
    return mainType === 'object' ? (isKeyed ? 3 : 1) : 4;
  };
  return [...branches].sort((left, right) => rank(left) - rank(right));
}

function objectOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isItem } = at;
  const { message, siblings, members, hasPlace } = membersOf(shape);
  const isWhole =
    [...siblings].filter(([one, inner]) => WHOLE.has(one) && inner.mainType !== 'array').length > 1;
  if (isProblems(name) && message === undefined && !isItem && !isWhole) return mapOf(facts, at);
  const isLocated = at.isLocated || hasPlace;
  const isSaid = at.isSaid || message !== undefined;
  const made: Record<string, unknown> = {};
  for (const { key, plain, inner, isRequired } of members) {
    const examples = at.examples
      .filter(isRecord)
      .flatMap((example) => (Object.hasOwn(example, key) ? [example[key]] : []));
    const member: At = {
      ...at,
      shape: inner,
      name: plain,
      siblings,
      isRequired,
      isLocated,
      isSaid,
      message,
      examples: [...inner.examples, ...examples],
      depth: at.depth + 1,
    };
    const value = stated(facts, member) ?? (isRequired ? neutral(facts, member) : undefined);
    if (value !== undefined) made[key] = value;
  }
  for (const key of shape.required.keys()) if (!shape.properties.has(key)) made[key] = facts.message;
  return at.isRequired || Object.keys(made).length > 0 ? made : undefined;
}

/** The members of an object, which of them is the message, and whether one is the location. */
const membersOf = oncePer((shape: Shape) => {
  const { properties, required } = shape;
  const message = messageOf(shape);
  const members = [...properties].map(([key, inner]) => ({
    key,
    plain: foldedName(key),
    inner,
    isRequired: required.has(key),
  }));
  return {
    members,
    message: message && foldedName(message),
    siblings: new Map(members.map((member) => [member.plain, member.inner])),
    hasPlace: members.some(({ plain }) => isLocation(plain)),
  };
});

/** If a list has the messages, `title` and `error` are the status. */
function messageOf(shape: Shape): string | undefined {
  const { message } = errorRoles(shape);
  const isBeside = [...shape.properties].some(([key, { mainType }]) => {
    if (mainType !== 'array' && mainType !== 'object') return false;
    const name = foldedName(key);
    return message === 'title' ? isProblems(name) : message === 'error' && name.startsWith('message');
  });
  return isBeside ? undefined : message;
}

/** A map from members to their errors, or an object with those members. */
function mapOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isSaid, examples } = at;
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
  const isOfTexts =
    isFree && examples.some((example) => isRecord(example) && Object.values(example).some(isText));
  const made: Record<string, unknown> = {};
  for (const [key, group] of [...groups].slice(0, shape.lowest('maxProperties'))) {
    if (key === undefined) continue;
    const value = keyed(
      facts,
      { ...at, isLocated: key !== general },
      properties.get(key) ?? additional,
      group,
    );
    if (value !== undefined) made[key] = isOfTexts && Array.isArray(value) ? value.join('; ') : value;
  }
  for (const [key, member] of properties)
    if (shape.required.has(key) && !Object.hasOwn(made, key))
      made[key] = neutral(facts, { ...at, shape: member, examples: member.examples });
  return made;
}

/** The errors of one member, in the schema of the map's values. */
function keyed(facts: ErrorFacts, at: At, shape: Shape | undefined, details: readonly Detail[]): unknown {
  const texts = details.length > 0 ? details.map((detail) => textOf(detail, at)) : [facts.message];
  const [branch] = shape ? branchesOf(shape, true) : [];
  if (!branch) return texts;
  if (branch.mainType === 'string') return texts.join('; ');
  const isList = branch.mainType === 'array';
  const item = isList ? branch.items : branch;
  if (!item || (isList && (item.mainType ?? 'string') === 'string')) return texts;
  const inner = { ...at, shape: item, isItem: true, isRequired: true, isSaid: false, depth: at.depth + 1 };
  const all = details.length > 0 ? details : [undefined];
  const made = all.map((detail) => stated(facts, { ...inner, examples: item.examples, detail }, true));
  return isList ? made : made[0];
}

/** A list of errors, as objects or texts; or of the steps of a location. */
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
  const examples = [
    ...(item?.examples ?? []),
    ...at.examples.flatMap((example) => (Array.isArray(example) ? example : [])),
  ];
  const inner = { ...at, examples, isItem: true, isRequired: true, isSaid: false, depth: at.depth + 1 };
  if (item && !name.startsWith('warn'))
    return all.flatMap((one) => objectOf(facts, { ...inner, shape: item, detail: one }) ?? []);
  if (!isOfTexts || !(name === '' || GENERAL.has(name) || isProblems(name))) return undefined;
  return [...new Set(all.map((one) => (one ? textOf(one, at) : facts.message)))];
}

const isOfText = ({ mainType }: Shape) => mainType === 'string';

/** Whether an item describes an error: by a text, or by a code beside its location. */
function isStating(shape: Shape, list: string): boolean {
  const names = [...shape.properties.keys()].map(foldedName);
  if (errorRoles(shape).message !== undefined || names.includes('defaultmessage')) return true;
  return isProblems(list) && names.some((name) => isLocation(name)) && names.some((name) => WHAT.has(name));
}

/** The value of a scalar by its name. Undefined: the name has no meaning, or only one for required members. */
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

/** Shortens a text to its schema's limit. */
function shortened(shape: Shape, text: string): string {
  const longest = shape.lowest('maxLength');
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

function fits(shape: Shape, value: unknown): boolean {
  if (value === undefined || !roughlyFits(shape, value)) return false;
  const { alternatives } = shape;
  return alternatives.length === 0 || alternatives.some((branch) => roughlyFits(branch, value));
}

/**
 * The value of a required member without a known meaning: the example, the message if nothing else has it, or the shortest.
 */
function neutral(facts: ErrorFacts, at: At): unknown {
  const { shape, examples, isSaid, depth } = at;
  const isObject = shape.properties.size > 0 && shape.alternatives.length === 0 && depth <= MAX_DEPTH;
  if (isObject && at.name !== '') return objectOf(facts, { ...at, isItem: true, isRequired: true });
  const isPlain = isOfText(shape) && !shape.values && !shape.find('format') && !shape.find('pattern');
  const text = isPlain ? [shortened(shape, isSaid ? phraseOf(facts) : facts.message)] : [];
  const least = [...(shape.values ? [] : [null, false, 0, []]), ...text];
  const fitting = [...(isSaid ? [] : text), ...examples, ...least].find((value) => fits(shape, value));
  return fitting === undefined ? sample(shape, { key: 'error', include: () => false }) : fitting;
}
