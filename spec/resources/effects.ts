import type { Sign } from '../meaning/basis.ts';
import type { Json } from '../meaning/meaning.ts';
import { sameName, wordsOf } from '../meaning/names.ts';
import { firstState } from '../meaning/states.ts';
import { isParticiple, isVerb, takenBack, verbOf } from '../meaning/verb.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { counterOf, memberMeanings } from './members.ts';
import { lastSegment } from './paths.ts';
import { bodyShape, withoutNull } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** What an operation makes of a record of its collection. */
export interface Effect {
  /** Members with what they become: a value, `$now`, `$account`, `+1`, `-1`, or `$body` for what is sent. */
  readonly sets: Readonly<Record<string, Json>>;
  /** Each account does it for itself. */
  readonly own?: {
    /** The flag that shows it, else the verb. */
    readonly key: string;
    /** False: it is taken back. */
    readonly isOn: boolean;
  };
  readonly signs: readonly Sign[];
}

type Records = Pick<Resource, 'shape' | 'id'>;

/**
 * What an operation on a record does to it: what the document says, else what a verb at the end of its path, or the name of
 * a member there, suggests. Undefined: nothing, or it only reads.
 */
export function effectOf(operation: Operation, resource: Records): Effect | undefined {
  const { method, path, said } = operation;
  if (said.facts.sets) return { sets: said.facts.sets, signs: ['said'] };
  const segment = lastSegment(path) ?? '';
  if (method === 'GET' || segment.includes('{')) return undefined;
  const effect = effectOfVerb(segment, method !== 'DELETE', resource);
  if (effect) return withSent(effect, operation);
  const exact = [...resource.shape.properties.keys()].find((name) => sameName(name, segment));
  const isSent = exact !== undefined && exact !== resource.id?.property && says(operation, exact);
  return isSent && method !== 'DELETE' ? { sets: { [exact]: '$body' }, signs: ['name'] } : undefined;
}

/** Whether a request can say a member: in its query, or in a body that is not described otherwise. */
function says(operation: Operation, name: string): boolean {
  const body = bodyShape(operation);
  const sent = [...(body?.properties.keys() ?? []), ...operation.parameters.map((one) => one.name)];
  return sent.some((one) => sameName(one, name)) || (operation.body !== undefined && body === undefined);
}

/** Of a flag that a request says, it is what it says. */
function withSent(effect: Effect, operation: Operation): Effect {
  const body = bodyShape(operation);
  const sent = Object.entries(effect.sets).map(([name, value]) => {
    const isSaid = typeof value === 'boolean' && body?.properties.get(name)?.mainType === 'boolean';
    return [name, isSaid ? '$body' : value] as const;
  });
  return { ...effect, sets: Object.fromEntries(sent) };
}

const knownVerbs = new WeakMap<Shape, Map<string, Effect | undefined>>();

/**
 * The effect of a verb by the members of a record that have it in some form: `favorite` sets `favorited` and counts in
 * `favoritesCount`, `cancel` leads to the `status` that is called `cancelled`, and notes `cancelledAt`.
 * @param isDone false: the request takes back what the verb says
 */
function effectOfVerb(said: string, isDone: boolean, resource: Records): Effect | undefined {
  const ofShape = knownVerbs.get(resource.shape) ?? new Map<string, Effect | undefined>();
  knownVerbs.set(resource.shape, ofShape);
  const key = `${isDone} ${said} ${resource.id?.property}`;
  if (!ofShape.has(key)) ofShape.set(key, readEffect(verbOf(said), isDone, resource));
  return ofShape.get(key);
}

function readEffect(verb: string, isDone: boolean, resource: Records): Effect | undefined {
  const opposite = takenBack(verb);
  const undone = opposite === undefined ? undefined : setsOf(opposite, !isDone, resource);
  const done = setsOf(verb, isDone, resource);
  return done && undone ? { ...undone, ...done, sets: { ...undone.sets, ...done.sets } } : (done ?? undone);
}

function setsOf(verb: string, isOn: boolean, { shape, id }: Records): Effect | undefined {
  const sets: Record<string, Json> = {};
  const meanings = memberMeanings({ shape, id });
  let flag: string | undefined;
  for (const [name, member] of shape.properties) {
    if (name === id?.property) continue;
    const { mainType, values } = withoutNull(member);
    const { holds } = meanings.get(name) ?? {};
    if (mainType === 'boolean' && isVerb(verbOf(name), verb)) {
      flag ??= name;
      if (flag === name) sets[name] = isOn;
    } else if (values && mainType === 'string') {
      const state = stateOf(values, verb, isOn, holds === 'state');
      if (state !== undefined) sets[name] = state;
    } else if (isMoment(holds) && verbOf(withoutEnd(name)) === verb) sets[name] = isOn ? '$now' : null;
  }
  const counter = counterOf(verb, shape);
  if (counter !== undefined) sets[counter] = isOn ? '+1' : '-1';
  if (Object.keys(sets).length === 0) return undefined;
  const isOwn = flag === undefined ? counter !== undefined : meanings.get(flag)?.per === 'account';
  return { sets, ...(isOwn && { own: { key: flag ?? verb, isOn } }), signs: ['name'] };
}

const isMoment = (holds: unknown) => holds === 'created' || holds === 'changed' || holds === 'moment';

/** `published` of `published_at`. */
const withoutEnd = (name: string) =>
  wordsOf(name)
    .filter((word) => !ENDS.has(word))
    .join('-');
const ENDS = new Set(['at', 'on', 'date', 'time']);

/**
 * The state that a verb leads to, of those that are called after it; taken back, what is called after its opposite, else
 * what things begin in.
 * @param isState false: other enumerations have a value that is called after what has happened
 */
function stateOf(
  values: readonly unknown[],
  verb: string,
  isOn: boolean,
  isState: boolean,
): Json | undefined {
  const texts = values.filter((value) => typeof value === 'string');
  const own = texts.find((text) => isVerb(verbOf(text), verb) && (isState || isParticiple(text)));
  if (isOn) return own;
  const undone = texts.find((text) => takenBack(verbOf(text)) === verb);
  return (
    undone ?? (own === undefined ? undefined : (firstState(texts.filter((text) => text !== own)) as Json))
  );
}
