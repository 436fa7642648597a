import { foldedName, setOf, singular, singularName, wordsOf } from '../meaning/names.ts';
import { changeOf, type RecordChange } from '../meaning/verb.ts';
import type { OutgoingOperation } from '../outgoing.ts';
import { recordName } from './paths.ts';
import { bodyShape, memberLike, sharesMembers, withoutNull } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** What names say in messages that a service sends by itself: webhooks, callbacks, streams. */
const lastWord = (name: string) => wordsOf(name).at(-1) ?? '';

const EVENTS = setOf('event type topic action kind op operation change reason');
const OF_EVENTS = setOf('event webhook change hook');
/** Whether a member or a header says what has happened: `event`, `event_type`, `X-Hook-Event`. */
export function saysEvent(name: string): boolean {
  const words = wordsOf(name).filter((word) => word !== 'x');
  const isOfEvent = words.length === 1 || words.some((word) => OF_EVENTS.has(word));
  return isOfEvent && (EVENTS.has(lastWord(name)) || (words.length > 1 && lastWord(name) === 'name'));
}

const HOLDERS = setOf('data object resource record item payload entity subject');
/** Whether a member holds the subject of a message, whatever that is. */
export const holdsSubject = (name: string): boolean => HOLDERS.has(foldedName(name));

/** How documents name what has been there before. */
const LISTED = setOf('snapshot initial existing existed exists current load loaded sync synced list listed');
/** What a text says that has happened to a record; `listed`: it was there before. */
export function happeningsIn(text: string): ReadonlySet<RecordChange | 'listed'> {
  return new Set(wordsOf(text).flatMap((word) => (LISTED.has(word) ? 'listed' : (changeOf(word) ?? []))));
}

const PIECES = setOf(
  'content text delta token value partial completion output message chunk response answer',
);
/** Whether a member, or a kind of messages, is a piece of a text that comes bit by bit. */
export const isPiece = (name: string): boolean => PIECES.has(lastWord(name)) || lastWord(name) === 'progress';

const STAGES = [
  [Number.NaN, 'error fail cancel expire incomplete abort refus'.split(' ')],
  [-1, 'creat start begin open init queued'.split(' ')],
  [1, 'done complet end stop finish clos final last'.split(' ')],
] as const;
/** Where something belongs in a run: -1 it begins, 1 it ends, 0 it goes on, NaN it fails. */
export function stageOf(name: string): number {
  const words = wordsOf(name);
  return (
    STAGES.find(([, starts]) => starts.some((one) => words.some((word) => word.startsWith(one))))?.[0] ?? 0
  );
}

const FOLLOWED = setOf('watch stream event subscribe follow tail live change feed listen');
/** Whether a path or an operation is called after something that one follows, and does not load. */
export const isFollowed = (name: string): boolean =>
  wordsOf(name).some((word) => FOLLOWED.has(word) || FOLLOWED.has(singular(word)));

/** Whether a header holds a signature. */
export const isSignature = (name: string): boolean =>
  ['signature', 'hmac'].some((one) => name.toLowerCase().includes(one));

const REGISTRIES = setOf('hook webhook subscription subscriber callback endpoint');
const URLS = setOf('url uri endpoint callback webhook');
const OF_MESSAGES = setOf('event eventtype eventname enabledevent subscribedevent topic trigger');
/** The members of records by which clients register for webhooks: where they are sent, and which. Undefined: of none. */
export function subscriptionOf({
  path,
  shape,
  actions,
}: Pick<Resource, 'path' | 'shape' | 'actions'>):
  | { readonly url: string; readonly events: string | undefined }
  | undefined {
  const last = path.split('/').at(-1) ?? '';
  if (!actions.create || !REGISTRIES.has(singular(lastWord(last)))) return undefined;
  const texts = [...shape.properties].filter(([, member]) => withoutNull(member).mainType === 'string');
  const [url] = texts.map(([name]) => name).filter((name) => URLS.has(lastWord(name)));
  const events = [...shape.properties.keys()].find((name) => OF_MESSAGES.has(singular(foldedName(name))));
  return url === undefined ? undefined : { url, events };
}

/** What happens to which records, as far as the name and the body of a callback or a webhook say. */
export interface SpokenOf {
  readonly resource: Resource;
  readonly kinds: ReadonlySet<RecordChange>;
  /** It is about a change by which a member gets this value, in lower case: `paid`. */
  readonly becomes: string | undefined;
}

/** They say that something is sent, and not when. */
const FILLERS = setOf(
  'on a an the is was has been of for event webhook hook callback call back notify notification notified post send sent ' +
    'received handler data payload message url',
);

const ANY: ReadonlySet<RecordChange> = new Set<RecordChange>(['created', 'changed', 'removed']);

/**
 * The records that a callback or a webhook speaks of: those whose name is in its name, else those that its body shows.
 * Undefined: there are none, or its name has a word that nothing in the document explains.
 */
export function spokenOf(
  { name, body }: Pick<OutgoingOperation, 'name' | 'body'>,
  resources: readonly Resource[],
): SpokenOf | undefined {
  const words = wordsOf(name);
  const named = namedResource(words, resources);
  const shape = bodyShape({ body } as OutgoingOperation);
  const shown =
    shape &&
    resources.find((one) => sharesMembers(shape, one.shape) || memberLike(shape, one.shape) !== undefined);
  const resource = named?.resource ?? shown;
  if (!resource) return undefined;
  const left = (named?.others ?? words).filter((word) => !FILLERS.has(singular(word)));
  const kinds = left.flatMap((word) => changeOf(word) ?? []);
  const unknown = left.filter((word) => changeOf(word) === undefined);
  if (unknown.length === 0)
    return { resource, kinds: kinds.length > 0 ? new Set(kinds) : ANY, becomes: undefined };
  const becomes = unknown.join('');
  return takesValue(resource, becomes)
    ? { resource, kinds: new Set<RecordChange>(['created', 'changed']), becomes }
    : undefined;
}

/** The longest name of records among the words: `order line` rather than `order`. */
function namedResource(words: readonly string[], resources: readonly Resource[]) {
  for (let length = words.length; length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const noun = singularName(words.slice(start, start + length).join(''));
      const resource = resources.find(({ path }) => recordName(path) === noun);
      if (resource) return { resource, others: words.filter((_, at) => at < start || at >= start + length) };
    }
  return undefined;
}

/** Whether the document lists a value for a member of the records. */
function takesValue({ shape }: Resource, wanted: string): boolean {
  return [...shape.properties.values()].some(({ values }) =>
    values?.some((value) => typeof value === 'string' && foldedName(value) === wanted),
  );
}
