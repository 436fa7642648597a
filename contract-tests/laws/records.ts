import {
  type Action,
  isEqual,
  isRecord,
  memberNames,
  memberShape,
  percentDecode,
  placeOf,
  type Resource,
  type Shape,
  toPointer,
} from '#spec';
import { type Data, GONE, headerOf, NOT_FOUND } from '../send/wire.ts';
import { documentedMembers, shorten } from './compare-records.ts';
import { type Evidence, itemShape, recordOf, recordsShown, showsWholeRecords } from './evidence.ts';
import { describeStatus } from './expect-status.ts';
import type { Broken, Judge } from './law.ts';
import { recordInBody, recordSent } from './mark.ts';
import { agree, mayBe, sameValue } from './same-value.ts';
import { createdIdOf, isKeptByService, mayBeHiddenInLists } from './sent-members.ts';

/** The members that only the service sets (OpenAPI 3.1, JSON Schema validation §9.4), including those of branches. */
export function readOnlyMembers({ shape }: Resource): [name: string, member: Shape][] {
  const names = new Set(memberNames(shape));
  return [...names].flatMap((name) => {
    const member = memberShape(shape, name);
    return member?.readOnly ? [[name, member] as [string, Shape]] : [];
  });
}

/** No response shows a sent read-only value that a service would not choose itself. */
export const unlikelyStored: Judge = (evidence) => {
  const writes = writesBefore(evidence);
  if (writes.length === 0 || recordsShown(evidence).length === 0) return undefined;
  return readOnlyMembers(evidence.role?.resource as Resource).flatMap(([name, member]) => {
    const sent = writes.map((write) => bodyOf(write)[name]).filter(isUnlikely);
    const stored = writtenRecords(evidence, writes, name).find((record) =>
      sent.some((value) => sameValue(value, record[name])),
    );
    return stored ? [breach(name, member, stored[name])] : [];
  });
};

/** How often in a row a value that a service may choose itself must equal the sent one. */
const REPEATED = 6;

/** For a small set of values: each sent value is shown again and again. */
export const likelyStored: Judge = (evidence) => {
  const { role, earlier } = evidence;
  if (writesBefore(evidence).length < REPEATED || recordsShown(evidence).length === 0) return undefined;
  const all = [...earlier, evidence].filter((one) => one.role?.resource === role?.resource);
  return readOnlyMembers(role?.resource as Resource).flatMap(([name, member]) => {
    const pairs = all.flatMap((one, index) => {
      const got = isWrite(one) && name in bodyOf(one) ? shownAfter(name, one, all[index + 1]) : undefined;
      return got === undefined ? [] : [{ sent: bodyOf(one)[name], got }];
    });
    const isStored = pairs.length >= REPEATED && pairs.every(({ sent, got }) => sameValue(sent, got));
    const [first, ...others] = pairs;
    const differ = others.some(({ sent }) => !isEqual(sent, first?.sent));
    return isStored && differ ? [breach(name, member, first?.sent)] : [];
  });
};

/** The member in the response to a write or, if it does not show the record, in the read after it. */
function shownAfter(name: string, write: Evidence, next: Evidence | undefined): unknown {
  return recordOf(write)?.[name] ?? (next?.role?.action === 'read' ? recordOf(next)?.[name] : undefined);
}

function breach(name: string, member: Shape, value: unknown): Broken {
  return {
    received: `${name} ${shorten(value)}, as the client sent it`,
    documented: `${name} is read-only`,
    at: placeOf(member.find('readOnly')?.spot ?? member.spot),
    part: toPointer([name]),
  };
}

const STORING: ReadonlySet<unknown> = new Set<Action>(['create', 'replace', 'update']);

function isWrite({ role, succeeded, exchange }: Evidence): boolean {
  return succeeded && isRecord(exchange.input.body) && STORING.has(role?.action);
}

/** Without members that the request's own schema declares writable: it takes precedence over the record's. */
function bodyOf({ role, operation, exchange }: Evidence): Data {
  const { properties } = recordInBody(role?.resource, operation).shape ?? {};
  const sent = Object.entries(recordSent(role?.resource, operation, exchange.input.body));
  return Object.fromEntries(sent.filter(([name]) => properties?.get(name)?.readOnly !== false));
}

/** The writes to the same resource so far, including this one. */
function writesBefore(evidence: Evidence): Evidence[] {
  const { role, earlier } = evidence;
  return [...earlier, evidence].filter((one) => isWrite(one) && one.role?.resource === role?.resource);
}

/**
 * In a list, the written records with known ids: other clients may have sent any value in theirs. A sent id must not occur
 * in others.
 */
function writtenRecords(evidence: Evidence, writes: readonly Evidence[], name: string): readonly Data[] {
  const { property = '' } = evidence.role?.resource.id ?? {};
  const ids = writes.map(writtenId);
  const isWritten = (record: Data) => ids.some((id) => String(id) === String(record[property]));
  const records = recordsShown(evidence);
  const mayBeOthers = evidence.page && name !== property && !ids.includes(undefined);
  return mayBeOthers ? records.filter(isWritten) : records;
}

function writtenId({ role, exchange }: Evidence): unknown {
  if (role?.action === 'create') return createdIdOf(role.resource, exchange);
  return exchange.input.path?.[role?.resource.id?.parameter ?? ''];
}

/** Whether no service would choose the value itself. */
export function isUnlikely(value: unknown): boolean {
  if (typeof value === 'string') return value.length >= 16 || /^19\d\d-\d\d-\d\d$/.test(value);
  return typeof value === 'bigint' || (typeof value === 'number' && Math.abs(value) > 2 ** 40);
}

/** A record that was read by an id has that id. */
export const pathId: Judge = (evidence) => {
  const { role, succeeded, exchange, request } = evidence;
  const record = recordOf(evidence);
  if (role?.action !== 'read' || !succeeded || !record) return undefined;
  const { property, parameter, because, shape, sign } = role.resource.id ?? {};
  if (sign === 'undeclared' || property === undefined || parameter === undefined || !because) return [];
  const id = exchange.input.path?.[parameter];
  // The path's schema allows an id that no record can have, such as the last of several coordinates.
  const isAllowed = !request.violations.some((violation) => violation.in === 'path');
  const isNumber = shape?.mainType === 'integer' || shape?.mainType === 'number';
  if (isAllowed && isNumber && !/^-?\d+$/.test(String(id))) return [];
  if (String(record[property]) === String(id)) return [];
  const received = `${property} ${shorten(record[property])}`;
  return { received, documented: `${property} ${shorten(id)}, as in the path`, at: placeOf(because) };
};

/**
 * A record that is read right after a list is the same in every documented member. A list may show fewer members, unless
 * both have the same schema. Members that the service sets may differ, such as a counter of reads.
 */
export const listAndReadAgree: Judge = (evidence) => {
  const { role } = evidence;
  const listing = role?.action === 'read' ? lastListed(evidence) : undefined;
  if (!role || !listing) return undefined;
  const read = recordOf(evidence);
  if (!read || !evidence.succeeded) return [];
  const { listed, isWhole, isShown, items } = listing;
  // A list cannot show a member that its schema forbids.
  const mayBeListed = (name: string) => {
    const member = items && memberShape(items, name);
    return !member || mayBe(member, read[name]);
  };
  const different = documentedMembers(role.resource, listed, read).find(
    ([name, member]) =>
      !agree(listed[name], read[name], member, name) &&
      mayBeListed(name) &&
      (listed[name] == null ? isWhole && isShown(name) : isWhole || name in read) &&
      !isKeptByService(name, member, role.resource) &&
      !mayBeHiddenInLists(name, member, role.resource.shape),
  );
  if (!different) return [];
  const [name, member] = different;
  return {
    received: `${name} ${shorten(listed[name])} in the list, ${shorten(read[name])} by id`,
    documented: 'one record, the same in both',
    at: placeOf(member.spot),
    part: toPointer([name]),
    about: [listed],
  };
};

function lastListed({ role, exchange, earlier }: Evidence) {
  const { property, parameter } = role?.resource.id ?? {};
  const before = earlier.at(-1);
  const { page } = before ?? {};
  if (
    !before ||
    !page ||
    page.resource !== role?.resource ||
    property === undefined ||
    parameter === undefined
  )
    return undefined;
  const id = exchange.input.path?.[parameter];
  const listed = page.records.find((record) => String(record[property]) === String(id));
  // A member that no record of the list has is hidden there.
  const isShown = (name: string) => page.records.some((record) => record[name] != null);
  return listed && { listed, isWhole: showsWholeRecords(before), isShown, items: itemShape(before) };
}

/** The documented Location of a 201 identifies the created record and no other (RFC 9110 §15.3.2). */
export const location: Judge = (evidence) => {
  const { documented, operation, role, response } = evidence;
  const located = locatedId(evidence);
  if (located === undefined) return undefined;
  const { property = '', sign } = role?.resource.id ?? {};
  const id = recordOf(evidence)?.[property];
  if (sign === 'undeclared' || id === undefined || located === String(id)) return [];
  // An id may itself be a path.
  if (String(id).endsWith(`/${located}`)) return [];
  const header = documented?.headers.find(({ name }) => name === 'location');
  const received = `Location: ${headerOf(response, 'location')} for ${property} ${shorten(id)}`;
  const at = placeOf(header?.spot ?? operation.spot);
  return { received, documented: 'the URL of the created record', at };
};

/** The record at a Location is the one that was created, and exists. */
export const atLocation: Judge = (evidence) => {
  const { exchange, operation, response, role, succeeded } = evidence;
  if (!exchange.input.located) return undefined;
  const { id, resource } = exchange.input.located;
  const at = placeOf(operation.spot);
  const documented = `the record ${shorten(id)} that was created, whose Location it is`;
  if (response.status === NOT_FOUND || response.status === GONE)
    return { kind: 'missing', received: describeStatus(response), documented, at };
  if (role?.action !== 'read' || role.resource !== resource || !succeeded) return [];
  const property = resource.id?.property ?? '';
  const shownId = recordOf(evidence)?.[property];
  if (shownId === undefined || String(shownId) === String(id)) return [];
  return { kind: 'unequal', received: `${property} ${shorten(shownId)}`, documented, at };
};

/** The id in a documented Location within the same collection; another URL may be anything. */
function locatedId({ documented, exchange, response, role, succeeded }: Evidence): string | undefined {
  const value = headerOf(response, 'location');
  const isDocumented = documented?.headers.some(({ name }) => name === 'location');
  if (role?.action !== 'create' || !succeeded || !isDocumented || value === undefined) return undefined;
  const url = URL.parse(value, exchange.request.url.href);
  const [collection] = exchange.request.url.href.split('?');
  if (!url?.href.startsWith(`${collection}/`)) return undefined;
  const [, segment] = /^\/([^/]+)$/.exec(url.href.slice(collection?.length).split(/[?#]/)[0] ?? '') ?? [];
  return segment === undefined ? undefined : percentDecode(segment);
}
