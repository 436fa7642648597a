import {
  bodyMedia,
  inBrief,
  isRecord,
  memberShape,
  type Operation,
  quotedIn,
  type Resource,
  type Shape,
  sample,
  stringifyJson,
  valueAt,
} from '#spec';
import { type BodyMember, blamedMembers, membersIn } from '../laws/blame.ts';
import { isIdName, markIn, markMember, recordInBody } from '../laws/mark.ts';
import { resourceOf } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Base, Climbed, Path, Plan, Recipe } from '../run/run.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess, jsonOf, type Response } from '../send/response.ts';
import type { Data } from '../send/wire.ts';
import { inForm, placeInPair, reservedValue } from './made-up.ts';

/** The initial recipe, before any error. */
export function firstRecipe({ settings }: Pick<Plan, 'settings'>, { id }: Operation): Recipe {
  return recipeOn(settings.bodies.has(id) ? 'the file of --body' : 'all members');
}

export const recipeOn = (base: Base): Recipe => ({
  base,
  varies: false,
  ahead: false,
  without: [],
  values: [],
});

export const isSamePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);

/** Whether two recipes make bodies of the same kind. */
export const isSameRecipe = (one: Recipe, other: Recipe) => stringifyJson(one) === stringifyJson(other);

/** A recipe in one line, for people. */
function describeRecipe({ base, varies, ahead, without, values }: Recipe): string {
  const names = (paths: readonly Path[]) => paths.map((path) => path.join('.')).join(', ');
  return [
    base,
    ...(without.length > 0 ? [`without ${names(without)}`] : []),
    ...(values.length > 0 ? [`with another ${names(values.map(({ path }) => path))}`] : []),
    ...(ahead ? ['with dates ahead'] : []),
    ...(varies ? ['with values of its own'] : []),
  ].join(' ');
}

/**
 * Applies a recipe to a body: removes and sets its members.
 * @param reform makes a unique text in the form of another one
 */
export function followRecipe(
  body: unknown,
  recipe: Recipe,
  reform: (path: Path, form: unknown) => unknown,
): unknown {
  const less = recipe.without.reduce((value, path) => changedAt(value, path, () => undefined), body);
  return recipe.values.reduce(
    (value, { path, value: other }) => changedAt(value, path, () => reform(path, other)),
    less,
  );
}

/** Changes the value at a path; undefined removes the member. Other values than objects stay. */
export function changedAt(value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (!isRecord(value)) return value;
  if (rest.length > 0 && value[name] === undefined) return value;
  const changed = changedAt(value[name], rest, change);
  const { [name]: _, ...others } = value;
  return changed === undefined ? others : { ...value, [name]: changed };
}

/**
 * The documented example of a body: that of the media type or the schema, else one that is composed of the examples of its
 * members. Ids are removed, and addresses are replaced. Undefined: there is no example.
 */
export function exampleIn({ body }: Operation, key: string): unknown {
  const media = bodyMedia(body);
  if (!media) return undefined;
  const [example = media.shape?.examples[0]] = media.examples.values();
  const whole = example ?? (media.shape && assembled(media.shape, key));
  return media.shape ? withoutAddresses(whole, media.shape, key) : whole;
}

/** Undefined: no member has an example. */
function assembled(shape: Shape, key: string): unknown {
  if (![...shape.properties.values()].some(({ examples }) => examples.length > 0)) return undefined;
  return sample(shape, {
    key,
    direction: 'request',
    include: (name) => (shape.properties.get(name)?.examples.length ?? 0) > 0,
    fake: (_, { examples: [value] }) => value,
  });
}

/** E-mail, telephone and URL members get values that belong to nobody. */
function withoutAddresses(value: unknown, shape: Shape, key: string): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const member = memberShape(shape, name);
    if (member?.readOnly) return [];
    if (isRecord(one) && member) return [[name, withoutAddresses(one, member, key)]];
    return [[name, typeof one === 'string' ? (reservedValue(name, member, key, one) ?? one) : one]];
  });
  return Object.fromEntries(members);
}

/**
 * The members of a body and of the objects in it, including those that were not sent, and the undocumented id that the
 * target may require from the client.
 */
function membersOf(resource: Resource | undefined, operation: Operation, body: unknown): BodyMember[] {
  const shape = bodyMedia(operation.body)?.shape;
  const id = undeclaredId(resource, operation);
  const idMember = id && { path: id, name: id.at(-1) ?? '', required: false, value: valueAt(body, id) };
  return [
    ...(shape ? membersIn(shape, body, []) : []),
    ...(idMember && resource?.id ? [{ ...idMember, shape: resource.id.shape }] : []),
  ];
}

/** The path in a body for the undocumented id. */
export function undeclaredId(resource: Resource | undefined, operation: Operation): Path | undefined {
  if (resource?.id?.sign !== 'undeclared') return undefined;
  return [...recordInBody(resource, operation).path, resource.id.property];
}

/** Other values of a member that the target may accept, the likeliest first. */
function likelyValues(
  operation: Operation,
  contract: Plan['contract'],
  { path, name, shape, value }: BodyMember,
  records: readonly Data[],
): unknown[] {
  const { path: place } = recordInBody(resourceOf(contract, operation), operation);
  const inRecord = place.every((step, index) => path[index] === step) ? path.slice(place.length) : [];
  const isId = inRecord.length === 1 && isIdName(name);
  // A value that is no scalar may concern other clients, for example to whom a rule applies.
  const seen = (
    inRecord.length > 0 && !isId ? records.map((record) => valueAt(record, inRecord)) : []
  ).filter((one) => typeof one !== 'object');
  const samples = [...shape.examples, shape.find('default')?.value, ...quotedIn(shape)];
  const others = shape.values ?? [];
  const reserved = reservedValue(name, shape, 'other', String(value));
  return [...seen, ...samples, ...others, reserved].filter(
    (one, index, all) =>
      one != null && one !== '' && one !== value && all.indexOf(one) === index && fits(shape, one),
  );
}

function fits({ mainType }: Shape, value: unknown): boolean {
  const type = Array.isArray(value) ? 'array' : isRecord(value) ? 'object' : typeof value;
  const described = mainType === 'integer' ? 'number' : mainType;
  return described === undefined || described === type || (type === 'bigint' && described === 'number');
}

const HOUR = 3_600_000;
/** The dates of a body, sorted from beginnings to ends, as far as names tell. */
function datesIn(operation: Operation, body: unknown): { path: Path; isDay: boolean }[] {
  const shape = bodyMedia(operation.body)?.shape;
  const dates = (shape && isRecord(body) ? membersIn(shape, body, []) : []).flatMap(
    ({ path, name, shape, value }) => {
      const format = shape.find('format')?.value;
      if (value === undefined || shape.values || (format !== 'date' && format !== 'date-time')) return [];
      return [{ path, isDay: format === 'date', rank: placeInPair(name) }];
    },
  );
  return dates.toSorted((left, right) => left.rank - right.rank);
}

/** The body with dates in the future, a day apart: services that plan something reject past ones. */
export function withDatesAhead(operation: Operation, body: unknown, now: Date): unknown {
  return datesIn(operation, body).reduce((changed, { path, isDay }, index) => {
    const date = new Date(now.getTime() + HOUR + (index + (isDay ? 1 : 0)) * 24 * HOUR);
    const text = date.toISOString();
    return changedAt(changed, path, () => (isDay ? text.slice(0, 10) : text));
  }, body);
}

/** A request with the body of a recipe. */
export interface Step {
  readonly recipe: Recipe;
  readonly body: unknown;
  readonly response: Response;
}

const MOST_TRIES = 6;
/** The number of members that are left out one at a time, if nothing else helps. */
const MOST_LEFT_OUT = 8;
/** The number of attempts per base. */
const MOST_ON_ONE_BASE = 3;

/**
 * Tries recipes until the target accepts a body: members that an error names get another value or are left out; if it
 * names nothing that can be changed, the next base is tried, and finally each optional member is left out.
 * @param first the request that was rejected already
 * @param send makes and sends the body of a recipe
 */
export async function climb(
  trial: Trial,
  resource: Resource | undefined,
  operation: Operation,
  first: Step | undefined,
  records: readonly Data[],
  send: (recipe: Recipe) => Promise<Step>,
): Promise<Climbed> {
  const refusals: string[] = [];
  const tried: Recipe[] = [];
  const bases = basesOf(trial, operation);
  let next: Recipe | undefined = first?.recipe ?? recipeOn(bases[0] as Base);
  let [pending, earliest] = [first, first];
  for (let count = 0; next && count < MOST_TRIES; count++) {
    const recipe: Recipe = next;
    tried.push(recipe);
    const step = pending ?? (await attempt(recipe));
    pending = undefined;
    earliest ??= step;
    if (step && isSuccess(step.response)) return { recipe, refusals };
    if (step) refusals.push(`${describeRecipe(recipe)}: ${describe(step.response)}`);
    if (step && !mayClimb(step.response)) break;
    // The last attempt uses the base with the fewest possible errors.
    const isLast = count === MOST_TRIES - 2 && !tried.some(({ base }) => base === bases.at(-1));
    next = isLast ? withBase(recipe, bases.at(-1)) : ((step && adapted(step)) ?? onNextBase(recipe));
  }
  const optional = earliest ? membersOf(resource, operation, earliest.body) : [];
  for (const { path } of optional.filter(mayBeLeftOut).slice(0, MOST_LEFT_OUT)) {
    const recipe = { ...recipeOn(earliest?.recipe.base ?? 'all members'), without: [path] };
    const step = tried.some((one) => isSameRecipe(one, recipe)) ? undefined : await attempt(recipe);
    if (step && isSuccess(step.response)) return { recipe, refusals };
    if (step && !mayClimb(step.response)) break;
  }
  return { refusals };

  async function attempt(recipe: Recipe): Promise<Step | undefined> {
    try {
      return await send(recipe);
    } catch (error) {
      if (!(error instanceof NotProvoked)) throw error;
      return undefined;
    }
  }

  /** Undefined: the error names nothing that could be changed. */
  function adapted(step: Step): Recipe | undefined {
    const { recipe, response, body } = step;
    if (
      tried.filter(({ base }) => base === recipe.base).length >= MOST_ON_ONE_BASE &&
      bases.at(-1) !== recipe.base
    )
      return undefined;
    const blamed = blamedMembers(response, membersOf(resource, operation, body));
    if (response.status === 409 && !recipe.varies) return { ...recipe, varies: true };
    const dates = recipe.ahead ? [] : datesIn(operation, body);
    const isAboutDates = ({ path }: BodyMember) => dates.some((date) => isSamePath(date.path, path));
    if (dates.length > 0 && (blamed.length === 0 || blamed.some(isAboutDates)))
      return { ...recipe, ahead: true };
    const changed = blamed.reduce((one, member) => withOther(one, member, body), recipe);
    return tried.some((one) => isSameRecipe(one, changed)) ? undefined : changed;
  }

  function withOther(recipe: Recipe, member: BodyMember, body: unknown): Recipe {
    const { path, value, required } = member;
    const others = recipe.values.filter((replacement) => !isSamePath(replacement.path, path));
    const without = recipe.without.filter((one) => !isSamePath(one, path));
    const used = tried.flatMap(({ values }) =>
      values.filter((replacement) => isSamePath(replacement.path, path)),
    );
    const likely = likelyOf(member, body).filter((one) => !used.some((other) => other.value === one));
    const [likeliest] = likely;
    if (likeliest !== undefined)
      return { ...recipe, without, values: [...others, { path, value: likeliest }] };
    if (value !== undefined && !required) return { ...recipe, values: others, without: [...without, path] };
    return recipe;
  }

  function likelyOf(member: BodyMember, body: unknown): unknown[] {
    const { path: place, shape } = recordInBody(resource, operation);
    const mark = shape && markMember(shape);
    const values = likelyValues(operation, trial.plan.contract, member, records);
    if (mark === undefined || !isSamePath(member.path, [...place, mark])) {
      // A member that was not sent is required.
      return values.length === 0 && member.value === undefined ? [sampleOf(member)] : values;
    }
    const text = String(valueAt(body, [...place, mark]));
    const part = markIn(text, trial.plan.mark) ?? text;
    return [...values, ...PLAIN_FORMS].filter((form) => inForm(form, part) !== text);
  }

  function onNextBase(recipe: Recipe): Recipe | undefined {
    return withBase(recipe, bases[bases.indexOf(recipe.base) + 1]);
  }

  function withBase(recipe: Recipe, base: Base | undefined): Recipe | undefined {
    return base && { ...recipe, base };
  }

  function sampleOf({ shape, path }: BodyMember): unknown {
    return sample(shape, { key: `${trial.plan.settings.seed}/${operation.id}/${path.join('/')}` });
  }
}

const mayBeLeftOut = ({ required, value }: BodyMember) => !required && value !== undefined;

/** Names without punctuation, for services that restrict what they document as any text. */
const PLAIN_FORMS = ['word', 'two_words'];

/** The user's file first, then the base that exercises most rules; an example may have only some of the members. */
function basesOf({ plan }: Trial, operation: Operation): Base[] {
  const isShown = exampleIn(operation, 'shown') !== undefined;
  return [
    ...(plan.settings.bodies.has(operation.id) ? (['the file of --body'] as const) : []),
    'all members',
    ...(isShown ? (['the example'] as const) : []),
    'required members',
  ];
}

/** Statuses about credentials, method, media type or rate instead of the body. Some services return 406 for a body. */
const OTHER_MATTERS = new Set([401, 402, 403, 405, 407, 408, 411, 415, 417, 425, 426, 429, 431, 451, 501]);

/** Whether another body may be accepted after this status. */
export function mayClimb({ status }: Pick<Response, 'status'>): boolean {
  return status >= 400 && status <= 500 && !OTHER_MATTERS.has(status);
}

function describe(response: Response): string {
  const json = jsonOf(response);
  const text = (json === undefined ? (response.text ?? '') : stringifyJson(json)).replace(/\s+/g, ' ').trim();
  return `${response.status} ${inBrief(text, 120)}`.trim();
}

/** What the run has learned of the bodies that the target accepts, after it rejected one; undefined: it rejected none. */
export async function climbedOf(trial: Trial, operation: Operation): Promise<Climbed | undefined> {
  const { climbs } = trial.session.cache;
  return climbs.has(operation) ? trial.share(climbs, operation, async () => ({ refusals: [] })) : undefined;
}
