import { foldedName, setOf, singular, singularName, wordsOf } from '../meaning/names.ts';
import { changeOf, type RecordChange } from '../meaning/verb.ts';
import type { OutgoingOperation } from '../outgoing.ts';
import { recordName } from './paths.ts';
import { bodyShape, memberLike, sharesMembers, withoutNull } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** Reads names in messages that a service sends: webhooks, callbacks, streams. */
const lastWord = (name: string) => wordsOf(name).at(-1) ?? '';

const EVENTS = setOf('event type topic action kind op operation change reason');
const OF_EVENTS = setOf('event webhook change hook');
/** Whether a member or a header holds the type of an event: `event`, `event_type`, `X-Hook-Event`. */
export function saysEvent(name: string): boolean {
  const words = wordsOf(name).filter((word) => word !== 'x');
  const isOfEvent = words.length === 1 || words.some((word) => OF_EVENTS.has(word));
  return isOfEvent && (EVENTS.has(lastWord(name)) || (words.length > 1 && lastWord(name) === 'name'));
}

const HOLDERS = setOf('data object resource record item payload entity subject');
/** Whether a member holds the subject of a message, whatever that is. */
export const holdsSubject = (name: string): boolean => HOLDERS.has(foldedName(name));

/** Words for records that existed before a stream began. */
const LISTED = setOf('snapshot initial existing existed exists current load loaded sync synced list listed');
/** The changes of a record that a text mentions; `listed`: the record existed before. */
export function happeningsIn(text: string): ReadonlySet<RecordChange | 'listed'> {
  return new Set(wordsOf(text).flatMap((word) => (LISTED.has(word) ? 'listed' : (changeOf(word) ?? []))));
}

const PIECES = setOf(
  'content text delta token value partial completion output message chunk response answer',
);
/** Whether a member, or a type of message, is a part of a text that is sent in parts. */
export const isPiece = (name: string): boolean => PIECES.has(lastWord(name)) || lastWord(name) === 'progress';

const STAGES = [
  [Number.NaN, 'error fail cancel expire incomplete abort refus'.split(' ')],
  [-1, 'creat start begin open init queued'.split(' ')],
  [1, 'done complet end stop finish clos final last'.split(' ')],
] as const;
/** The place of a message in a run: -1 begins it, 1 ends it, 0 continues it, NaN means that it fails. */
export function stageOf(name: string): number {
  const words = wordsOf(name);
  return (
    STAGES.find(([, starts]) => starts.some((start) => words.some((word) => word.startsWith(start))))?.[0] ??
    0
  );
}

const FOLLOWED = setOf('watch stream event subscribe follow tail live change feed listen');
/** Whether the name of a path or an operation is that of a stream. */
export const isFollowed = (name: string): boolean =>
  wordsOf(name).some((word) => FOLLOWED.has(word) || FOLLOWED.has(singular(word)));

/** Whether a header holds a signature. */
export const isSignature = (name: string): boolean =>
  ['signature', 'hmac'].some((one) => name.toLowerCase().includes(one));

const REGISTRIES = setOf('hook webhook subscription subscriber callback endpoint');
const URLS = setOf('url uri endpoint callback webhook');
const OF_MESSAGES = setOf('event eventtype eventname enabledevent subscribedevent topic trigger');
/** The members of a webhook registration: the URL, and the event types. Undefined: the records are no registrations. */
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

/** The records and the change that a callback or a webhook is about, by its name and body. */
export interface SpokenOf {
  readonly resource: Resource;
  readonly kinds: ReadonlySet<RecordChange>;
  /** The value, in lower case, that a member gets by the change: `paid`. */
  readonly becomes: string | undefined;
}

/** Words in names of callbacks that mean only that something is sent. */
const FILLERS = setOf(
  'on a an the is was has been of for event webhook hook callback call back notify notification notified post send sent ' +
    'received handler data payload message url',
);

const ANY: ReadonlySet<RecordChange> = new Set<RecordChange>(['created', 'changed', 'removed']);

/**
 * The records that a callback or a webhook is about: those whose noun is in its name, else those in its body.
 * Undefined: there are none, or its name has a word that is not explained by the document.
 */
export function spokenOf(
  { name, body }: Pick<OutgoingOperation, 'name' | 'body'>,
  resources: readonly Resource[],
): SpokenOf | undefined {
  const words = wordsOf(name);
  const named = namedResource(words, resources);
  const shape = bodyShape({ body } as OutgoingOperation);
  const inBody =
    shape &&
    resources.find((one) => sharesMembers(shape, one.shape) || memberLike(shape, one.shape) !== undefined);
  const resource = named?.resource ?? inBody;
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

/** The collection with the longest noun among the words: `order line` rather than `order`. */
function namedResource(words: readonly string[], resources: readonly Resource[]) {
  for (let length = words.length; length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const noun = singularName(words.slice(start, start + length).join(''));
      const resource = resources.find(({ path }) => recordName(path) === noun);
      if (resource) return { resource, others: words.filter((_, at) => at < start || at >= start + length) };
    }
  return undefined;
}

/** Whether a member of the records has an enumeration with the value. */
function takesValue({ shape }: Resource, wanted: string): boolean {
  return [...shape.properties.values()].some(({ values }) =>
    values?.some((value) => typeof value === 'string' && foldedName(value) === wanted),
  );
}
