import {
  codesOfStatus,
  ERROR_MEMBERS,
  ERROR_NAMES,
  type ErrorMember,
  errorBranches,
  errorMembersOf,
  foldedName,
  isErrorItem,
  isErrorList,
  isErrorLocation,
  isNumber,
  isRecord,
  listedCodes,
  namesOfKeyword,
  RPC_CODES,
  randomOf,
  roughlyFits,
  type Shape,
  sample,
  stringifyJson,
  styledCode,
  toPointer,
} from '#spec';
import { type Detail, type MockRequest, targetsOf } from './exchange.ts';
import { REASON_PHRASES } from './reason-phrases.ts';
import { locationOf, memberPath, sentence } from './refusal.ts';

export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Detail[];
  /** What the refused request is about, such as `pet`. */
  readonly subject: string;
  /** Undefined: the request is unknown. */
  readonly request: MockRequest | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The number of the refusal, from 1. */
  readonly number: number;
}

/** A value in an error body, and its place. */
interface At {
  readonly shape: Shape;
  /** The member's name in lower case without separators; empty: the body. */
  readonly name: string;
  /** The example values at this place. */
  readonly examples: readonly unknown[];
  /** The members of the object around it, and which of them is the message. */
  readonly siblings: ReadonlyMap<string, Shape>;
  readonly message: string | undefined;
  readonly isRequired: boolean;
  /** Whether it is in a list or map of errors, and the error that it describes, if known. */
  readonly isItem: boolean;
  readonly detail: Detail | undefined;
  /** Whether something beside or around it has the location. */
  readonly isLocated: boolean;
  /** Whether something around it has the message. */
  readonly isSaid: boolean;
  readonly depth: number;
}

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
  const values = errorBranches(at.shape, isKeyed).values();
  return values.map((shape) => branchIn(facts, { ...at, shape })).find((value) => value !== undefined);
}

function branchIn(facts: ErrorFacts, at: At): unknown {
  const { shape, name, isRequired } = at;
  if (shape.mainType === 'array') return listOf(facts, at);
  if (shape.properties.size > 0)
    return isRequired || ERROR_NAMES.inner.has(name) || isErrorList(name) ? objectOf(facts, at) : undefined;
  if (shape.mainType !== 'object') return scalarOf(facts, at);
  return name === '' || isErrorList(name) ? mapOf(facts, at) : undefined;
}

function objectOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isItem } = at;
  const { message, siblings, members, hasPlace, isWhole } = errorMembersOf(shape);
  if (isErrorList(name) && message === undefined && !isItem && !isWhole) return mapOf(facts, at);
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

/** A map from members to their errors, or an object with those members. */
function mapOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isSaid, examples } = at;
  const { properties, additional } = shape;
  const isClosed = shape.all('additionalProperties').some(({ value }) => value === false);
  const isNamed = properties.size > 0;
  const isFree = additional === undefined;
  if (!isNamed && (isClosed || (isFree && name === ''))) return undefined;
  if (facts.details.length === 0 && isSaid) return undefined;
  const general = isNamed
    ? [...properties.keys()].find((key) => ERROR_NAMES.general.has(foldedName(key)))
    : 'base';
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
    const shown = properties.get(key) ?? additional;
    const value = keyed(facts, { ...at, isLocated: key !== general }, shown, group);
    if (value !== undefined) made[key] = isOfTexts && Array.isArray(value) ? value.join('; ') : value;
  }
  for (const [key, member] of properties)
    if (shape.required.has(key) && !Object.hasOwn(made, key))
      made[key] = neutral(facts, { ...at, shape: member, examples: member.examples });
  return made;
}

/** The errors of one member, in the schema of the map's values. */
function keyed(facts: ErrorFacts, at: At, shape: Shape | undefined, details: readonly Detail[]): unknown {
  const texts = details.length > 0 ? details.map((detail) => wordsOf(detail, at)) : [facts.message];
  const [branch] = shape ? errorBranches(shape, true) : [];
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
  const kinds = shape.items ? errorBranches(shape.items) : [];
  const isOfTexts = kinds.every(({ values }) => !values) && (kinds.length === 0 || kinds.some(isOfText));
  if (isItem && isOfTexts && ERROR_NAMES.paths.has(name)) {
    const { place, steps } = detail ? locationOf(detail) : { place: '', steps: [] };
    const whole = name === 'path' ? steps : [place, ...steps];
    const isOfNumbers = kinds.some(({ mainType }) => mainType === 'integer' || mainType === 'number');
    return detail && (isOfNumbers ? whole : whole.map(String));
  }
  const details = detail ? [detail] : facts.details;
  if (details.length === 0 && at.isSaid) return undefined;
  const all = (details.length > 0 ? details : [undefined]).slice(0, shape.lowest('maxItems'));
  const item = kinds.find((kind) => isErrorItem(kind, name));
  const examples = [
    ...(item?.examples ?? []),
    ...at.examples.flatMap((example) => (Array.isArray(example) ? example : [])),
  ];
  const inner = { ...at, examples, isItem: true, isRequired: true, isSaid: false, depth: at.depth + 1 };
  if (item && !name.startsWith('warn'))
    return all.flatMap((one) => objectOf(facts, { ...inner, shape: item, detail: one }) ?? []);
  if (!isOfTexts || !(name === '' || ERROR_NAMES.general.has(name) || isErrorList(name))) return undefined;
  return [...new Set(all.map((one) => (one ? wordsOf(one, at) : facts.message)))];
}

const isOfText = ({ mainType }: Shape) => mainType === 'string';

/** The value of a scalar by its name. Undefined: the name has no meaning, or only one for required members. */
function scalarOf(facts: ErrorFacts, at: At): unknown {
  const { name, shape, detail, isItem, isRequired } = at;
  const isMessage =
    name === at.message || (isItem && at.message === undefined && ERROR_NAMES.issues.has(name));
  if (name === '' || isMessage) {
    if (shape.values) return codesOf(facts, at).find((value) => fits(shape, value));
    return shape.mainType === 'string' || isMessage
      ? shortened(shape, detail ? wordsOf(detail, at) : facts.message)
      : undefined;
  }
  const about = ERROR_MEMBERS.detail.get(name);
  const ofDetail = detail && about ? OF_DETAIL[about](detail, at, facts) : [];
  const whole = ERROR_MEMBERS.whole.get(name) ?? (isRequired ? ERROR_MEMBERS.demanded.get(name) : undefined);
  const valuesOf = whole && !(isItem && isErrorLocation(name)) ? OF_WHOLE[whole] : undefined;
  const only = valuesOf && shape.values?.length === 1 ? shape.values : [];
  return [...ofDetail, ...(valuesOf?.(facts, at) ?? []), ...only].find((value) => fits(shape, value));
}

const wordsOf = (detail: Detail, { isLocated }: At) => (isLocated ? detail.message : sentence(detail));

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

const isText = (value: unknown) => typeof value === 'string';

/** The possible values of a member, the best first. */
type Values = (facts: ErrorFacts, at: At) => readonly unknown[];

const has = ({ siblings }: At, names: string) => names.split(' ').some((name) => siblings.has(name));
const exampleOf = ({ examples }: At) => examples.find(isText) as string | undefined;
const phraseOf = ({ status }: ErrorFacts): string => REASON_PHRASES[status] ?? 'Error';

const OF_WHOLE: Readonly<Record<ErrorMember<'whole' | 'demanded'>, Values>> = {
  status: statusesOf,
  code: (facts, at) => [...codesOf(facts, at), facts.status],
  phrase: (facts) => [phraseOf(facts)],
  type: (facts, at) =>
    has(at, 'title') && !at.shape.values
      ? [at.shape.find('default')?.value, 'about:blank']
      : codesOf(facts, at),
  error: (facts, at) => {
    // Without these members, `error` is a code as in RFC 6749 §5.2.
    const isPhrase = has(at, 'timestamp path status statuscode errorcode');
    return [...(isPhrase ? [phraseOf(facts)] : []), ...codesOf(facts, at), true];
  },
  message: ({ message }) => [message],
  target: (facts) => targetsOf(facts.request, true),
  path: (facts) => targetsOf(facts.request, false),
  method: ({ request }) => (request ? [request.method] : []),
  moment: momentsOf,
  requestId: requestIds,
  success: () => [false],
  failure: () => [true],
  member: ({ details: [first] }) => (first ? [memberPath(first)] : []),
  count: ({ details }) => [details.length, 1],
  severity: () => ['error', 'ERROR', 'Error', 'high', 'HIGH', 'High'],
  link: ({ code }) => [`https://example.com/docs/errors/${code}`],
  name: ({ code }, at) => styledCode(code, exampleOf(at)),
  nothing: () => [null, ''],
};

type DetailValues = (detail: Detail, at: At, facts: ErrorFacts) => readonly unknown[];

const OF_DETAIL: Readonly<Record<ErrorMember<'detail'>, DetailValues>> = {
  location: placesOf,
  place: (detail, at) => {
    const isBeside = [...at.siblings.keys()].some((name) => isErrorLocation(name) && name !== at.name);
    const { place } = locationOf(detail);
    return isBeside ? [...listedCodes(at.shape, [place]), place] : placesOf(detail, at);
  },
  received: ({ broken }) =>
    broken?.received === undefined ? [] : [broken.received, stringifyJson(broken.received)],
  keyword: ({ broken }, { shape }) => [
    ...listedCodes(shape, namesOfKeyword(broken?.keyword)),
    broken?.keyword,
  ],
  kind: ({ broken }, at) => {
    // Beside a message alone it is the refusal's code.
    if (!at.isLocated && !has(at, 'source')) return [];
    const names = namesOfKeyword(broken?.keyword);
    return [...listedCodes(at.shape, names), ...styledCode(names[0] ?? '', exampleOf(at))];
  },
  subject: (_detail, _at, { subject }) => [subject],
};

/** Error codes in the format of the listed values or the example. */
function codesOf(facts: ErrorFacts, at: At): string[] {
  const { status, code, subject } = facts;
  const exact = listedCodes(at.shape, [code, phraseOf(facts), ...codesOfStatus(status)], subject);
  return [
    ...exact,
    ...listedCodes(at.shape, codesOfStatus(status < 500 ? 400 : 500)),
    ...styledCode(code, exampleOf(at)),
  ];
}

/** The status in the member's type: a number, a text, a word, or a flag for success. */
function statusesOf(facts: ErrorFacts, at: At): unknown[] {
  const [digits, phrase, example] = [String(facts.status), phraseOf(facts), exampleOf(at)];
  const failed = ['error', 'fail', 'failure', 'failed'];
  const isNumbered = at.siblings.get('code')?.mainType === 'integer';
  if (at.shape.values)
    return [facts.status, digits, phrase, ...listedCodes(at.shape, failed), ...codesOf(facts, at)];
  const text = () => {
    if (at.isItem || /^\d{3}$/.test(example ?? '')) return digits;
    if (failed.includes(example?.toLowerCase() ?? '')) return example;
    if (isNumbered && at.depth > 1) return RPC_CODES[facts.status] ?? facts.code.toUpperCase();
    if (example !== undefined || isNumbered) return phrase;
    return has(at, 'title detail error path timestamp reason') ? digits : 'error';
  };
  return [facts.status, text(), false];
}

/** The time in the format of the example, else of the schema. */
function momentsOf({ now }: ErrorFacts, { examples }: At): unknown[] {
  const iso = new Date(now).toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  const texts = [iso, `${day}T${time}Z`, `${day}T${time}`, `${day} ${time}`, day];
  const form = (text: unknown) => String(text).replace(/\d/g, '0');
  const alike = texts.filter((text) => examples.some((example) => form(example) === form(text)));
  const seconds = Math.floor(now / 1000);
  const isSeconds = examples.some((value) => isNumber(value) && Number(value) < 1e11);
  return [...alike, ...texts, ...(isSeconds ? [seconds] : []), now, seconds];
}

/** The client's request id, else a generated one. */
function requestIds(facts: ErrorFacts): string[] {
  const { request, number } = facts;
  const sent = ['x-request-id', 'x-correlation-id'].flatMap((name) => request?.headers[name] ?? []);
  const random = randomOf(`request ${request?.method} ${targetsOf(request, true)[0]} ${number}`);
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('');
  const uuid = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
  return [...sent.slice(0, 1), uuid, hex, hex.slice(0, 16)];
}

/** The location in the format of the name or example: a pointer, or names with dots. */
function placesOf(detail: Detail, at: At): string[] {
  const { name, siblings } = at;
  const example = exampleOf(at) ?? '';
  const { place, steps } = locationOf(detail);
  // JSON:API: a pointer into the body, or the name of a parameter.
  if (name === (place === 'body' ? 'parameter' : 'pointer') && has(at, 'pointer') && has(at, 'parameter'))
    return [];
  if (ERROR_NAMES.pointers.has(name) || /^[#/]/.test(example)) {
    const pointer = toPointer(steps.map(String));
    return example.startsWith('#') ? [`#${pointer}`] : [pointer, `#${pointer}`];
  }
  const path = steps.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
  return [name === 'location' && !siblings.has('path') && path ? `${place}.${path}` : path || place];
}
