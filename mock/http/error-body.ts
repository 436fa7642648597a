import { type ErrorRoles, errorRoles, isRecord, plainName, type Shape, stringifyJson } from '#spec';
import type { ErrorFacts } from './error-facts.ts';
import { locationOf, memberPath, sentenceOf } from './error-facts.ts';
import {
  compileScalar,
  type ErrorMember,
  type Fill,
  fits,
  isLocation,
  neutral,
  type Stated,
} from './error-members.ts';
import type { Detail } from './exchange.ts';
import { contextOf } from './violation-words.ts';

/**
 * Compiles what states a refusal in a documented error schema: each fact in the members whose name and type indicate it,
 * in nested objects too. A list or a map of what was wrong gets one for each detail. What is not understood is left out
 * where it may be.
 * @param examples what the document shows as such a body: how codes, moments and paths are written there
 */
export function compileErrorBody(shape: Shape, examples: readonly unknown[]): (facts: ErrorFacts) => unknown {
  const scope = { ...BODY, shown: examples };
  const fill = compileValue(shape, scope) ?? neutral(shape, shownIn(shape, scope), scope.isSaid);
  const whole = (facts: ErrorFacts) => fill({ ...facts, detail: undefined });
  const only = onlyText(shape, whole);
  return (facts) => {
    const made = whole(facts);
    return only && isRecord(made) ? { ...made, [only]: facts.message } : made;
  };
}

/** The member for the message of a small body, where no name says so. */
function onlyText({ properties }: Shape, whole: (facts: ErrorFacts) => unknown): string | undefined {
  if (properties.size > SMALL) return undefined;
  const made = whole(PROBE);
  if (!isRecord(made) || stringifyJson(made).includes(PROBE.message)) return undefined;
  const free = [...properties].find(
    ([name, member]) => !Object.hasOwn(made, name) && fits(member, PROBE.message),
  );
  return free?.[0];
}

const SMALL = 4;

const PROBE: ErrorFacts = {
  ...{ status: 500, code: 'code', message: 'What is wrong', details: [], isProblem: false },
  ...{ subject: '', request: undefined, now: 0, number: 1 },
};

/** Where a value stands. */
interface Scope {
  /** Empty: it is the body. */
  readonly within: string;
  readonly isItem: boolean;
  /** Whether a map's key says where. */
  readonly isKeyed: boolean;
  /** Whether what stands around it has the message already. */
  readonly isSaid: boolean;
  /** What examples of whatever stands around it have there. */
  readonly shown: readonly unknown[];
  readonly depth: number;
}

const BODY: Scope = { within: '', isItem: false, isKeyed: false, isSaid: false, shown: [], depth: 0 };

/** A schema of errors within errors ends somewhere. */
const MAX_DEPTH = 5;

/** Lists and maps of what was wrong. */
const PROBLEMS =
  /^(?:_?errors?|\w*errors|issues|violations|\w*violations|fields|invalid\w*|problems|causes|failures|details?|messages?|reasons?)$/i;

/** Lists of texts that say what was wrong. */
const TEXTS =
  /^(?:_?errors?|messages?|details?|reasons?|body|base|full_?messages|violations|issues|non_?field_?errors|\w*errors)$/i;

/** Members that have what is not about any member. */
const GENERAL = /^(?:body|base|_?errors|non_?field_?errors|messages?|details?|general|global|_schema)$/i;

/** Objects within an error body that state the error, too. */
const INNER = /^(?:errors?|fault|problem|failure|exception|status|extensions)$/i;

const shownIn = ({ examples }: Shape, { shown }: Scope) => [...examples, ...shown];

const itemsOf = (shown: readonly unknown[]): unknown[] =>
  shown.flatMap((example) => (Array.isArray(example) ? example : []));

/** Undefined: nothing can be said there. */
function compileValue(shape: Shape, scope: Scope): Fill | undefined {
  if (scope.depth > MAX_DEPTH) return undefined;
  const fills = branchesOf(shape).flatMap((branch) => compileBranch(branch, scope) ?? []);
  return firstOf(fills);
}

function firstOf(fills: readonly Fill[]): Fill | undefined {
  if (fills.length < 2) return fills[0];
  return (stated) => {
    for (const fill of fills) {
      const value = fill(stated);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

/** What states more comes first: lists, maps and objects before texts; in a map no further map. */
function branchesOf(shape: Shape, isKeyed = false): readonly Shape[] {
  const branches = shape.alternatives.filter(({ mainType }) => mainType !== 'null');
  if (branches.length === 0) return [shape];
  const rank = ({ mainType, properties }: Shape) => {
    if (mainType === 'array') return 0;
    if (properties.size > 0) return 2;
    if (mainType === 'object') return isKeyed ? 3 : 1;
    return 4;
  };
  return [...branches].sort((one, other) => rank(one) - rank(other));
}

function compileBranch(shape: Shape, scope: Scope): Fill | undefined {
  if (shape.mainType === 'array') return compileList(shape, scope);
  if (shape.properties.size > 0) return compileObject(shape, scope);
  if (shape.mainType === 'object') return compileMap(shape, scope);
  if (shape.mainType === 'string' && !shape.values && (scope.within === '' || scope.isKeyed))
    return ({ detail, message }) => detail?.message ?? message;
  return undefined;
}

/** Members of an error body by name, in the order of the schema. */
function compileObject(shape: Shape, scope: Scope): Fill {
  const roles = rolesOf(shape);
  const { within, isItem } = scope;
  const names = [...shape.properties.keys()];
  const siblings = new Map([...shape.properties].map(([name, member]) => [plainName(name), member]));
  const isLocated = scope.isKeyed || names.some(isLocation);
  const isOAuth = names.includes('error_description');
  const isSaid = scope.isSaid || roles.message !== undefined;
  const isByMember = PROBLEMS.test(within) && roles.message === undefined && !isItem;
  const shown = shownIn(shape, scope);
  const member = (name: string, own: Shape): ErrorMember => {
    const all = shownIn(own, inner(name));
    const example = all.find((value) => typeof value === 'string');
    return { name, shape: own, shown: all, example, ...owner };
  };
  const owner = {
    ...{ siblings, roles, within, isItem, isOAuth, isLocated },
  };
  const inner = (name: string): Scope => ({
    ...{ within: name, isItem, isKeyed: scope.isKeyed, isSaid, depth: scope.depth + 1 },
    shown: shown.filter(isRecord).flatMap((example) => (Object.hasOwn(example, name) ? [example[name]] : [])),
  });
  const members = [...shape.properties].flatMap(([name, own]): [string, Fill][] => {
    const isRequired = shape.required.has(name);
    const fill = isByMember
      ? compileOwnMember(name, own, names, scope)
      : compileMember(member(name, own), inner(name), isRequired);
    if (!isRequired) return fill ? [[name, fill]] : [];
    const other = compileNeutral(own, inner(name));
    return [[name, (stated) => fill?.(stated) ?? other(stated)]];
  });
  const unnamed = [...shape.required.keys()].filter((name) => !shape.properties.has(name));
  return (stated) => {
    if (isByMember && scope.isSaid && stated.details.length === 0) return undefined;
    const made: Record<string, unknown> = {};
    for (const [name, fill] of members) {
      const value = fill(stated);
      if (value !== undefined) made[name] = value;
    }
    for (const name of unnamed) made[name] = stated.message;
    return made;
  };
}

/** Where a list has the messages, `title` and `error` name the status. */
function rolesOf(shape: Shape): ErrorRoles {
  const roles = errorRoles(shape);
  const lists = LISTS_BESIDE[plainName(roles.message ?? '')];
  const isBeside = [...shape.properties].some(
    ([name, { mainType }]) => lists?.test(name) && (mainType === 'array' || mainType === 'object'),
  );
  return isBeside ? { ...roles, message: undefined } : roles;
}

const LISTS_BESIDE: Readonly<Record<string, RegExp>> = { title: PROBLEMS, error: /^messages?$/i };

/** What is demanded, and of which nothing can be said: of an object what is demanded in turn. */
function compileNeutral(shape: Shape, scope: Scope): Fill {
  const isObject = shape.properties.size > 0 && shape.alternatives.length === 0 && scope.depth <= MAX_DEPTH;
  return isObject ? compileObject(shape, scope) : neutral(shape, shownIn(shape, scope), scope.isSaid);
}

function compileMember(member: ErrorMember, scope: Scope, isRequired: boolean): Fill | undefined {
  const { name, shape, isItem } = member;
  if (isItem && /^ctx$|^context$/i.test(name)) return ({ detail }) => detail && contextOf(detail);
  const scalar = compileScalar(member, isRequired);
  const compound = branchesOf(shape).filter(({ mainType }) => mainType === 'array' || mainType === 'object');
  const fills = compound.flatMap((branch) => compileCompound(branch, name, scope, isRequired) ?? []);
  if (compound.length < branchesOf(shape).length && scalar)
    fills.push((stated) => fittingOnly(shape, scalar(stated)));
  return firstOf(fills);
}

const fittingOnly = (shape: Shape, value: unknown) => (fits(shape, value) ? value : undefined);

function compileCompound(branch: Shape, name: string, scope: Scope, isRequired: boolean): Fill | undefined {
  if (scope.depth > MAX_DEPTH) return undefined;
  if (branch.mainType === 'array') return compileList(branch, scope);
  if (branch.properties.size === 0) return PROBLEMS.test(name) ? compileMap(branch, scope) : undefined;
  if (scope.isItem && /^source$/i.test(name)) return compileSource(branch);
  const isInner = isRequired || INNER.test(name) || PROBLEMS.test(name);
  return isInner ? compileObject(branch, scope) : undefined;
}

/** JSON:API: what in the request caused an error. */
function compileSource({ properties }: Shape): Fill {
  return ({ detail }) => {
    if (!detail) return undefined;
    const { place, steps } = locationOf(detail);
    const pointer = ['', ...steps]
      .map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
      .join('/');
    if (place === 'body') return properties.has('pointer') ? { pointer } : undefined;
    const name = place === 'header' ? 'header' : 'parameter';
    return properties.has(name) ? { [name]: String(steps[0] ?? place) } : undefined;
  };
}

/** A member of `errors`, say, that is called as the one that was wrong; or that has all that is about none of them. */
function compileOwnMember(
  name: string,
  shape: Shape,
  names: readonly string[],
  scope: Scope,
): Fill | undefined {
  const isGeneral = GENERAL.test(name);
  const isOwn = (detail: Detail) =>
    isGeneral
      ? !names.includes(String(locationOf(detail).steps[0]))
      : memberPath(detail).split('.')[0] === name;
  const value = compileKeyed(shape, isGeneral, { ...scope, within: name });
  return (stated) => {
    const own = stated.details.filter(isOwn);
    if (own.length > 0) return value(stated, own);
    return isGeneral && stated.details.length === 0 ? value(stated, []) : undefined;
  };
}

/** The value of a map, or of a member that stands for one: what was wrong with one member. */
function compileKeyed(
  shape: Shape | undefined,
  isGeneral: boolean,
  scope: Scope,
): (stated: Stated, own: readonly Detail[]) => unknown {
  const text = (detail: Detail) => (isGeneral ? sentenceOf(detail) : detail.message);
  const texts = (stated: Stated, own: readonly Detail[]) =>
    own.length > 0 ? own.map(text) : [stated.message];
  const keyed: Scope = { ...scope, isItem: true, isKeyed: !isGeneral, isSaid: false, depth: scope.depth + 1 };
  const [branch] = shape ? branchesOf(shape, true) : [];
  if (!branch) return texts;
  const { mainType, items } = branch;
  if (mainType === 'string') return (stated, own) => texts(stated, own).join('; ');
  const item = mainType === 'array' ? items : branch;
  if (mainType === 'array' && (!item || item.mainType === 'string' || item.mainType === undefined))
    return texts;
  const shown = mainType === 'array' ? itemsOf(scope.shown) : scope.shown;
  const fill = item && compileValue(item, { ...keyed, shown });
  if (!fill) return () => undefined;
  const each = (stated: Stated, own: readonly Detail[]) =>
    (own.length > 0 ? own : [undefined]).map((detail) => fill({ ...stated, detail }));
  return mainType === 'array' ? each : (stated, own) => each(stated, own)[0];
}

/** From the path of a member to what was wrong with it. */
function compileMap(shape: Shape, scope: Scope): Fill | undefined {
  const { additional } = shape;
  const isFree = additional === undefined;
  const isClosed = shape.all('additionalProperties').some(({ value }) => value === false);
  if (isClosed || scope.depth > MAX_DEPTH) return undefined;
  if (isFree && !/error|violation|invalid|field/i.test(scope.within)) return undefined;
  const shown = shownIn(shape, scope)
    .filter(isRecord)
    .flatMap((example) => Object.values(example));
  const isOfTexts = isFree && shown.some((value) => typeof value === 'string');
  const values = compileKeyed(additional, false, { ...scope, shown });
  return (stated) => {
    const { details } = stated;
    if (details.length === 0 && scope.isSaid) return undefined;
    const groups = Map.groupBy(details, memberPath);
    const entries =
      details.length === 0
        ? [['base', values(stated, [])]]
        : [...groups].map(([path, own]) => [path, values(stated, own)]);
    const made = entries.map(([path, value]) => [
      path,
      isOfTexts && Array.isArray(value) ? value.join('; ') : value,
    ]);
    return Object.fromEntries(made.filter(([, value]) => value !== undefined));
  };
}

/** A list of what was wrong, in objects or in texts; or of the steps that lead to it. */
function compileList(shape: Shape, scope: Scope): Fill | undefined {
  const { within: name, isSaid, isItem } = scope;
  const { items } = shape;
  const most = shape.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
  const kinds = items ? branchesOf(items) : [];
  const isOfTexts =
    kinds.length === 0 || kinds.some(({ mainType, values }) => mainType === 'string' && !values);
  const isOfNumbers = kinds.some(({ mainType }) => mainType === 'integer' || mainType === 'number');
  if (isItem && isOfTexts && /^(?:loc|path|location)$/i.test(name)) {
    return ({ detail }) => {
      if (!detail) return undefined;
      const { place, steps } = locationOf(detail);
      const whole = /^path$/i.test(name) ? steps : [place, ...steps];
      return isOfNumbers ? whole : whole.map(String);
    };
  }
  const objects = kinds.filter(({ properties }) => properties.size > 0);
  const one = objects.find((kind) => stating(kind, name));
  if (one && !/warn/i.test(name)) {
    const fill = compileObject(one, {
      ...{ within: name, isItem: true, isKeyed: scope.isKeyed, isSaid: false, depth: scope.depth + 1 },
      shown: itemsOf(shownIn(shape, scope)),
    });
    return (stated) => {
      const details = stated.detail ? [stated.detail] : stated.details;
      if (details.length === 0 && isSaid) return undefined;
      const all = details.length > 0 ? details : [undefined];
      return all.slice(0, most).map((detail) => fill({ ...stated, detail }));
    };
  }
  if (!isOfTexts || !(TEXTS.test(name) || name === '')) return undefined;
  return ({ details, detail, message }) => {
    if (detail) return [detail.message];
    if (details.length === 0 && isSaid) return undefined;
    return (details.length > 0 ? details.map(sentenceOf) : [message]).slice(0, most);
  };
}

/** Whether an object of a list says what was wrong: in a text, or by a code beside its place. */
function stating(shape: Shape, list: string): boolean {
  const names = [...shape.properties.keys()];
  if (errorRoles(shape).message !== undefined || names.some((name) => /^default_?message$/i.test(name)))
    return true;
  return PROBLEMS.test(list) && names.some(isLocation) && names.some((name) => WHAT.test(name));
}

const WHAT = /^(?:issue|problem|text|info|code|error_?code|constraint|rule)$/i;
