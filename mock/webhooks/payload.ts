import {
  bodyMedia,
  type Data,
  type EncodedBody,
  encodeBody,
  foldedName,
  fullyFits,
  happeningsIn,
  holdsSubject,
  isRecord,
  type OutgoingOperation,
  ownEntry,
  type RecordChange,
  type Resource,
  recordName,
  type Shape,
  saysEvent,
  sharesMembers,
  wordsOf,
} from '#spec';
import { momentsOf } from '../records/actions/moments.ts';
import { withoutWriteOnly } from '../records/one-way.ts';
import type { SeedValues } from '../records/seed/values.ts';

/** The subject of a callback or webhook. */
export interface Fact {
  /** The record, or the operation's response. */
  readonly record: unknown;
  readonly resource: Resource | undefined;
  /** Members of the operation's request, which the response may lack. */
  readonly requestBody?: unknown;
  readonly change: RecordChange | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Makes the body of a callback or webhook. Undefined: it has none. */
export type Payload = (fact: Fact, key: string) => EncodedBody | undefined;

/** A value from the user, in the documented media type. */
export function encodeGiven({ body }: OutgoingOperation, value: unknown): EncodedBody | undefined {
  const media = bodyMedia(body);
  return media && encodeBody(media, value);
}

/** The documented body, with the record where the schema has one. */
export function compilePayload(outgoing: OutgoingOperation, seeds: SeedValues): Payload {
  const media = bodyMedia(outgoing.body);
  if (!media) return () => undefined;
  const { shape } = media;
  // Validated as a response, since it has members that the service sets.
  const isWhole = (value: unknown) => !shape || fullyFits(shape, value);

  /** The members of a record that a schema names and allows. */
  function shownIn(target: Shape, data: Data): Data {
    const members = Object.entries(data).filter(([name, value]) => {
      const member = target.properties.get(name);
      return member && !member.writeOnly && fullyFits(member, value);
    });
    return Object.fromEntries(members);
  }

  function filled(target: Shape, base: Data, fact: Fact): Data {
    const { record, resource, requestBody } = fact;
    const about = aboutEvent(outgoing, target, fact);
    const place = resource && placeOfRecord(target, resource);
    const member = place === undefined ? undefined : target.properties.get(place);
    if (member && place !== undefined && isRecord(record))
      return { ...base, ...about, [place]: withRecord(member, ownEntry(base, place), record, fact) };
    const parts = [requestBody, record].flatMap((one) => (isRecord(one) ? shownIn(target, one) : []));
    return Object.assign({}, base, ...parts, about);
  }

  function withRecord(member: Shape, sampled: unknown, record: Data, { resource }: Fact): unknown {
    if (fullyFits(member, record)) return record;
    const inner = resource && placeOfRecord(member, resource);
    const base = isRecord(sampled) ? sampled : {};
    const target = inner === undefined ? undefined : member.properties.get(inner);
    return inner !== undefined && target
      ? { ...base, [inner]: fullyFits(target, record) ? record : { ...base, ...shownIn(target, record) } }
      : { ...base, ...shownIn(member, record) };
  }

  /** Whether to send the record unchanged: the schema is the record's own, or open. */
  function asItIs(target: Shape, { record, resource }: Fact): boolean {
    if (!resource || record === undefined || placeOfRecord(target, resource) !== undefined) return false;
    const isItsOwn = sharesMembers(target, resource.shape);
    return (isItsOwn || target.properties.size === 0) && isWhole(record);
  }

  return (fact, key) => {
    if (shape && asItIs(shape, fact)) return encodeBody(media, withoutWriteOnly(shape, fact.record));
    const example = [...media.examples.values()].find(isWhole);
    const base =
      example ?? (shape && seeds.called(outgoing.name, shape, 'response', false, outgoing.id, key));
    const made = shape && isRecord(base) ? filled(formOf(shape, base), base, fact) : base;
    // A member that depends on another may not fit with those of the record.
    return encodeBody(media, withoutWriteOnly(shape, isWhole(made) ? made : base));
  };
}

/** The alternative of a sampled value, by its members. */
function formOf(shape: Shape, sampled: unknown): Shape {
  if (shape.properties.size > 0 || !isRecord(sampled)) return shape;
  const names = Object.keys(sampled);
  return shape.alternatives.find((branch) => names.every((name) => branch.properties.has(name))) ?? shape;
}

/** The member for the record. Undefined: the schema is the record's own, or has no such member. */
function placeOfRecord(target: Shape, { shape, path }: Resource): string | undefined {
  if (sharesMembers(target, shape)) return undefined;
  const members = [...target.properties].filter(
    ([, { mainType, properties }]) => mainType === 'object' || properties.size > 0 || mainType === undefined,
  );
  const like = members.find(([, member]) => sharesMembers(member, shape));
  const named = members.find(([name]) => foldedName(name) === recordName(path));
  return (like ?? named ?? members.find(([name]) => holdsSubject(name)))?.[0];
}

/** The event's name and time, for members of the message. */
function aboutEvent({ name }: OutgoingOperation, shape: Shape, { change, now }: Fact): Data {
  const events = [...shape.properties].flatMap(([member, of]): [string, unknown][] => {
    const value = saysEvent(member) && of.mainType === 'string' ? eventName(of, name, change) : undefined;
    return value === undefined ? [] : [[member, value]];
  });
  const moments = momentsOf({ shape, id: undefined });
  return Object.fromEntries([
    ...moments.map((moment) => [moment.name, moment.write(now)] as const),
    ...events,
  ]);
}

function eventName(shape: Shape, name: string, change: RecordChange | undefined): unknown {
  const { values } = shape;
  if (!values) return shape.find('pattern') || shape.find('format') ? undefined : name;
  const texts = values.filter((value) => typeof value === 'string');
  const words = wordsOf(name);
  return (
    texts.find((text) => foldedName(text) === foldedName(name)) ??
    texts.find((text) => words.includes(foldedName(text))) ??
    texts.find((text) => change !== undefined && happeningsIn(text).has(change))
  );
}
