import {
  type Contract,
  familiesOf,
  isRecord,
  memberShape,
  type Resource,
  recordName,
  referencesIn,
  type Shape,
} from '#spec';
import { ID_NAMES, wordsOf } from '../../spec/resources/identity.ts';
import { lastSegment, singular } from '../../spec/resources/paths.ts';
import type { Members, Shown } from './collect-records.ts';
import { judgeMoments } from './judge-moments.ts';
import { isPictureOfMock, isShort, meaningOf, noiseIn, noiseInNumber } from './meanings.ts';
import { latinIn, syllablesIn, WHO } from './word-lists.ts';

export const KINDS = ['noise', 'dangling', 'time', 'latin'] as const;
export type Kind = (typeof KINDS)[number];

/** What a person would laugh at. */
export interface Complaint {
  readonly kind: Kind;
  /** The path of the collection. */
  readonly collection: string;
  /** The names that lead to the member, with dots. */
  readonly member: string;
  readonly value: unknown;
  readonly why: string;
}

export interface Judgement {
  /** How many values were looked at. */
  readonly judged: Readonly<Record<Kind, number>>;
  readonly complaints: readonly Complaint[];
}

/** What the values of an object are of. */
interface Place {
  readonly collection: Resource;
  readonly member: string;
  /** Whether people and animals are meant, which have first names. */
  readonly isWho: boolean;
}

/**
 * Counts in the records of a document, with their schemas, what no person would believe. It shares nothing with what makes
 * the values: what the document itself says somewhere, word for word, is its own, and is right.
 */
export function judgeRecords(
  { document, resources }: Pick<Contract, 'document' | 'resources'>,
  shown: readonly Shown[],
  now: number = Date.now(),
): Judgement {
  const own = textsIn(document.root.value);
  const families = familiesOf(resources);
  const named = Map.groupBy(
    shown.filter(({ resource: { id, actions } }) => id && (actions.list ?? actions.create ?? actions.read)),
    ({ resource }) => recordName(resource.path),
  );
  const idsOf = new Map(shown.map(({ resource, ids }) => [resource, ids]));
  const judged: Record<Kind, number> = { noise: 0, dangling: 0, time: 0, latin: 0 };
  const complaints: Complaint[] = [];

  function report(kind: Kind, place: Place, value: unknown, why: string | undefined): void {
    judged[kind]++;
    const { collection, member } = place;
    if (why !== undefined) complaints.push({ kind, collection: collection.path, member, value, why });
  }

  function visit(value: unknown, shape: Shape | undefined, place: Place): void {
    if (Array.isArray(value)) for (const item of value) visit(item, shape?.items, place);
    else if (isRecord(value)) visitObject(value, shape, place);
    else if (typeof value === 'string') judgeText(value, shape, place);
    else if (typeof value === 'number' || typeof value === 'bigint') judgeNumber(value, place);
  }

  function visitObject(record: Members, shape: Shape | undefined, place: Place): void {
    const within = (name: string) => ({ ...place, member: place.member ? `${place.member}.${name}` : name });
    for (const { members, why } of judgeMoments(record, (name) => shape && memberShape(shape, name), now)) {
      const isOwn = members.every((name) => own.has(String(record[name])));
      const value = members.map((name) => record[name]).join(' and ');
      report('time', within(members.join(' and ')), value, isOwn ? undefined : why);
    }
    judgeReferences(record, shape, place);
    for (const [name, value] of Object.entries(record)) {
      const declared = shape && memberShape(shape, name);
      const inner = declared ?? shape?.additional;
      const made = declared ? undefined : syllablesIn(name);
      if (made !== undefined) report('latin', within('*'), name, `“${made}” is the name of a member`);
      const here = within(made === undefined ? name : '*');
      visit(
        value,
        inner,
        holdsObjects(value) ? { ...here, isWho: isWho(inner?.items ?? inner, name) } : here,
      );
    }
  }

  function judgeText(value: string, shape: Shape | undefined, place: Place): void {
    if (value === '' || shape?.values) return;
    const isOwn = own.has(value) || isPictureOfMock(value);
    const meaning = meaningOf(lastOf(place.member), shape);
    if (meaning)
      report(
        'noise',
        place,
        value,
        isOwn ? undefined : noiseIn(meaning, value, place.isWho || namesWho(place.member)),
      );
    if (!isShort(value) || shape?.find('format') || shape?.find('pattern')) return;
    const word = syllablesIn(value) ?? latinIn(value);
    report('latin', place, value, isOwn || word === undefined ? undefined : `“${word}” in a short text`);
  }

  function judgeNumber(value: number | bigint, place: Place): void {
    const why = noiseInNumber(lastOf(place.member), value);
    if (why !== null) report('noise', place, value, why);
  }

  /** The members that name, or show, records of other collections. */
  function judgeReferences(record: Members, shape: Shape | undefined, place: Place): void {
    const check = (name: string, ids: readonly ReadonlySet<string>[], value: unknown) => {
      if (value === null || value === undefined || isRecord(value)) return;
      for (const one of Array.isArray(value) ? value : [value]) {
        const isThere = ids.some((all) => all.has(String(one)));
        const member = place.member ? `${place.member}.${name}` : name;
        report('dangling', { ...place, member }, one, isThere ? undefined : 'there is no such record');
      }
    };
    const isOuter = place.member === '';
    const { collection } = place;
    for (const [name, value] of Object.entries(record)) {
      if (isOuter && name === collection.id?.property) continue;
      const noun = referredTo(name);
      const found = noun === recordName(collection.path) ? [] : (named.get(noun ?? '') ?? []);
      if (found.length > 0)
        check(
          name,
          found.map(({ ids }) => ids),
          value,
        );
    }
    const shows = shape ? referencesIn(shape, resources) : [];
    for (const { property, to } of shows) {
      const ids = idsOf.get(to);
      if (!ids || !(to.actions.list ?? to.actions.create) || !to.id) continue;
      const several = record[property];
      for (const one of Array.isArray(several) ? several : [several])
        check(`${property}.${to.id.property}`, [ids], isRecord(one) ? one[to.id.property] : undefined);
    }
    if (isOuter)
      for (const { parent, property, inner } of families.get(collection)?.kin ?? []) {
        const ids = idsOf.get(parent);
        if (property === undefined || referredTo(property) !== undefined || !ids) continue;
        if (shows.some((one) => one.property === property)) continue;
        const value = record[property];
        check(property, [ids], inner === undefined ? value : isRecord(value) ? value[inner] : undefined);
      }
  }

  for (const { resource, records } of shown) {
    const place = {
      collection: resource,
      member: '',
      isWho: isWho(resource.shape, lastSegment(resource.path)),
    };
    for (const record of records) visit(record, resource.shape, place);
  }
  return { judged, complaints };
}

const lastOf = (member: string) => member.slice(member.lastIndexOf('.') + 1);

const holdsObjects = (value: unknown) => isRecord(value) || (Array.isArray(value) && value.some(isRecord));

/** `bank` of `bankId`, `bank_id` and `bankIds`; undefined: the name is none of an id. */
function referredTo(name: string): string | undefined {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  const end = words.pop()?.replace(/s$/, '') ?? '';
  return words.length > 0 && ID_NAMES.includes(end) ? singular(words.join('')) : undefined;
}

/** What documents put around the name of one thing. */
const AROUND =
  /^(?:dto|response|request|model|schema|object|input|output|entity|data|item|details?|summary|info|v\d+|full|mini|base|public|ref|reference)$/;

/** By the last word of the component, or of the member or path. */
function isWho(shape: Shape | undefined, name: string | undefined): boolean {
  const component = shape?.parts
    .map(({ path }) => path)
    .find((path) => path.at(-2) === 'schemas')
    ?.at(-1);
  return [component, name].some((one = '') => {
    const words = wordsOf(one).map((word) => word.toLowerCase());
    const head = words.findLast((word) => !AROUND.test(word)) ?? '';
    return WHO.has(head) || WHO.has(singular(head)) || head === 'people' || head === 'by';
  });
}

/** `passenger_name`, in whatever it stands. */
function namesWho(member: string): boolean {
  const words = wordsOf(lastOf(member)).map((word) => word.toLowerCase());
  return words.slice(0, -1).some((word) => WHO.has(word));
}

const texts = new WeakMap<object, ReadonlySet<string>>();

/** All texts of a document. */
function textsIn(root: unknown): ReadonlySet<string> {
  if (!isRecord(root)) return new Set();
  const known = texts.get(root) ?? new Set<string>();
  if (known.size > 0) return known;
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const gather = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') found.add(String(value));
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const inner of Object.values(value)) gather(inner);
  };
  gather(root);
  texts.set(root, found);
  return found;
}
