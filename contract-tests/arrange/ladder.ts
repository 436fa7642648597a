import { type Operation, type Resource, sample, stringifyJson, valueAt } from '#spec';
import { type BodyMember, blamedMembers } from '../laws/blame.ts';
import { markIn, markMember, recordInBody } from '../laws/mark.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Base, Climbed, Recipe } from '../run/run.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess, jsonOf, type Response } from '../send/response.ts';
import { exampleIn } from './body.ts';
import { inForm } from './made-up.ts';
import {
  datesIn,
  describeRecipe,
  isSamePath,
  isSameRecipe,
  likelyValues,
  membersOf,
  recipeOn,
} from './recipe.ts';

type Data = Readonly<Record<string, unknown>>;

/** A create with the body of a recipe. */
export interface Step {
  readonly recipe: Recipe;
  readonly body: unknown;
  readonly response: Response;
}

const MOST_TRIES = 6;
/** Of what the bodies begin with. */
const MOST_ON_ONE_BASE = 3;

/**
 * Tries one recipe after the other until the target takes a body: what a refusal names is given another value or left
 * out; where it names nothing that can be changed, the next base is tried.
 * @param first refused already
 * @param send makes and sends the body of a recipe
 */
export async function climb(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  first: Step | undefined,
  records: readonly Data[],
  send: (recipe: Recipe) => Promise<Step>,
): Promise<Climbed> {
  const { run } = trial;
  const refusals: string[] = [];
  const tried: Recipe[] = [];
  const bases = basesOf(trial, operation);
  let next: Recipe | undefined = first?.recipe ?? recipeOn(bases[0] as Base);
  let known = first;
  for (let count = 0; next && count < MOST_TRIES; count++) {
    const recipe: Recipe = next;
    tried.push(recipe);
    const step = known ?? (await attempt(recipe));
    known = undefined;
    if (step && isSuccess(step.response)) return { recipe, refusals };
    if (step) refusals.push(`${describeRecipe(recipe)}: ${describe(step.response)}`);
    if (step && !mayClimb(step.response)) break;
    next = (step && adapted(step)) ?? onNextBase(recipe);
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

  /** Undefined: the refusal names nothing that could be otherwise. */
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
    const others = recipe.values.filter((one) => !isSamePath(one.path, path));
    const without = recipe.without.filter((one) => !isSamePath(one, path));
    const used = tried.flatMap(({ values }) => values.filter((one) => isSamePath(one.path, path)));
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
    const values = likelyValues(operation, run, member, records);
    if (mark === undefined || !isSamePath(member.path, [...place, mark])) {
      // What was not sent is to be there.
      return values.length === 0 && member.value === undefined ? [sampleOf(member)] : values;
    }
    const text = String(valueAt(body, [...place, mark]));
    const own = markIn(text, run.mark) ?? text;
    return [...values, ...PLAIN_FORMS].filter((form) => inForm(form, own) !== text);
  }

  function onNextBase(recipe: Recipe): Recipe | undefined {
    const base = bases[bases.indexOf(recipe.base) + 1];
    return base && { ...recipe, base };
  }

  function sampleOf({ shape, path }: BodyMember): unknown {
    return sample(shape, { key: `${run.settings.seed}/${operation.id}/${path.join('/')}` });
  }
}

/** Names without punctuation, for services that check what they document as any text. */
const PLAIN_FORMS = ['word', 'two_words'];

/** The file first, else what shows the laws most; an example may have only some of the members. */
function basesOf({ run }: Trial, operation: Operation): Base[] {
  const isShown = exampleIn(operation, 'shown') !== undefined;
  return [
    ...(run.settings.bodies.has(operation.id) ? (['the file of --body'] as const) : []),
    'all members',
    ...(isShown ? (['the example'] as const) : []),
    'required members',
  ];
}

/** Statuses that say nothing of the body: credentials, methods, media types, pace. */
const OTHER_MATTERS = new Set([
  401, 402, 403, 405, 406, 407, 408, 411, 415, 417, 425, 426, 429, 431, 451, 501,
]);

/** Whether another body may be taken where this one was not. */
export function mayClimb({ status }: Response): boolean {
  return status >= 400 && status <= 500 && !OTHER_MATTERS.has(status);
}

const LONGEST = 120;

function describe(response: Response): string {
  const json = jsonOf(response);
  const text = (json === undefined ? (response.text ?? '') : stringifyJson(json)).replace(/\s+/g, ' ').trim();
  return `${response.status} ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`.trim();
}
