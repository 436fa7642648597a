import { foldedName, singularName, wordsOf } from '../meaning/names.ts';
import { changeOf, type RecordChange } from '../meaning/verb.ts';
import type { OutgoingOperation } from '../outgoing.ts';
import { recordName } from './paths.ts';
import { bodyShape, memberLike, sharesMembers } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** What happens to which records, as far as the name and the body of a callback or a webhook say. */
export interface SpokenOf {
  readonly resource: Resource;
  readonly kinds: ReadonlySet<RecordChange>;
  /** It is about a change by which a member gets this value, in lower case: `paid`. */
  readonly becomes: string | undefined;
}

/** They say that something is sent, and not when. */
const FILLERS =
  /^(?:on|an?|the|is|was|has|been|of|for|events?|webhooks?|hooks?|callbacks?|call|back|notif(?:y|ication)s?|notified|post|send|sent|received?|handler|data|payload|message|url)$/;

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
  const left = (named?.others ?? words).filter((word) => !FILLERS.test(word));
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
