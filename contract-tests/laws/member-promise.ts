import { bodyMedia, isSecretName, memberShape, type Resource, type Shape, statedMember } from '#spec';
import { recordInBody, withoutNull } from './mark.ts';

/**
 * What a service does with a member of a record by itself. Some of it the document says in words or by `readOnly` and
 * `writeOnly`; some of it names alone suggest: nothing is promised of such a member, whatever a client has sent.
 */

type Written = Pick<Resource, 'actions'>;

/** A moment that a service notes: `createdAt`, `last_modified`, `date_updated`, `mtime`. */
const STAMP =
  /^(?:(?:date|time)_)?(?:last_)?(?:created|creation|updated?|modified|modification|changed?|deleted|accessed|edited|touched|seen|synced)(?:_(?:at|on|date|time|timestamp|ts|by))?$|^last_\w+_(?:at|on|date|time)$|^[acm]time$|^timestamp$/;
/** A count of changes, or what stands for the content. */
const VERSION =
  /^_?(?:(?:resource|object|lock|record|row|entity|current|latest)_)?(?:version|revision|rev|generation|serial|etag|checksum|digest|fingerprint|sequence)$/;
const OF_CONTENT = /(?:etag|checksum|digest|fingerprint|rev|revision)$/;

/** What a service may make of another member that is sent: the place of an address, a path of a title. */
const DERIVED: readonly (readonly [own: RegExp, from: RegExp])[] = [
  [
    /^(.*_)?(?:geo|geo_?(?:code|hash|location|point)|coordinates|lat|latitude|lng|longitude)$/,
    /^(.*_)?address$/,
  ],
  [/^(.*_)?(?:slug|permalink)$/, /^(.*_)?(?:name|title)$/],
];

/** Whether a member has the name of something that follows from another one of the same prefix. */
function isDerived(words: string, others: readonly string[]): boolean {
  return DERIVED.some(([own, from]) => {
    const found = own.exec(words);
    if (!found) return false;
    return others.some((other) => {
      const source = from.exec(wordsOf(other));
      return source !== null && source[1] === found[1];
    });
  });
}

/** `createdAt`, `created-at` and `Created_At` as `created_at`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
}

/** The service sets it itself: it may change with any request, and what a client sends for it is nothing to keep. */
export function isKeptByService(name: string, member: Shape, resource: Written): boolean {
  if (member.readOnly || statedMember(member).isKeptByService) return true;
  // What a create must have is the client's.
  const body = bodyMedia(resource.actions.create?.body)?.shape;
  if (body?.required.has(name)) return false;
  const words = wordsOf(name);
  if (isDerived(words, [...(body?.properties.keys() ?? [])])) return true;
  const { mainType, values } = withoutNull(member);
  const isNumber = mainType === 'integer' || mainType === 'number';
  const isText = mainType === 'string' && !values;
  if (STAMP.test(words)) return isNumber || isText;
  return VERSION.test(words) && (isNumber || (isText && OF_CONTENT.test(words)));
}

/** No request can set it, so that it follows from other things: a status from a switch, an age from the clock. */
export function isComputed(name: string, resource: Resource): boolean {
  const { create, replace, update } = resource.actions;
  const writes = [create, replace, update];
  const bodies = writes.flatMap((one) => (one ? (recordInBody(resource, one).shape ?? []) : []));
  return bodies.length > 0 && bodies.every((body) => !memberShape(body, name) && !body.additional);
}

/** A place among the other records. */
const PLACE = /^(?:.*_)?(?:position|rank|order|priority|index|ordinal|sequence)$/;

/** It moves when another record gets its place. */
export function isPlace(name: string, member: Shape): boolean {
  const { mainType } = withoutNull(member);
  return (mainType === 'integer' || mainType === 'number') && PLACE.test(wordsOf(name));
}

/** A record need not show the value that was sent: a secret, or what the document says is changed or left out. */
export function mayBeShownOtherwise(name: string, member: Shape): boolean {
  const { isWrittenAlone, isAdjusted } = statedMember(member);
  return member.writeOnly || isWrittenAlone || isAdjusted || isSecret(name, member);
}

/** A list need not show what a read shows. */
export function mayBeHiddenInLists(name: string, member: Shape): boolean {
  return statedMember(member).isHiddenInLists || isSecret(name, member);
}

function isSecret(name: string, member: Shape): boolean {
  const isPassword = member.all('format').some(({ value }) => value === 'password');
  return isPassword || (member.mainType === 'string' && isSecretName(name));
}
