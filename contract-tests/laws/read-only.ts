import {
  type Action,
  isRecord,
  memberNames,
  memberShape,
  placeOf,
  type Resource,
  type Shape,
  toPointer,
} from '#spec';
import { shorten } from './compare-records.ts';
import { createdIdOf } from './created-id.ts';
import { type Evidence, recordOf } from './evidence.ts';
import type { Breach, Law } from './law.ts';
import { recordInBody, recordSent } from './mark.ts';
import { equalJson } from './same-value.ts';

type Data = Readonly<Record<string, unknown>>;

/** The members that only the service sets (OpenAPI 3.1, JSON Schema validation §9.4), those of branches as well. */
export function readOnlyMembers({ shape }: Resource): [name: string, member: Shape][] {
  const names = new Set(memberNames(shape));
  return [...names].flatMap((name) => {
    const member = memberShape(shape, name);
    return member?.readOnly ? [[name, member] as [string, Shape]] : [];
  });
}

/** A value that no service comes to by itself is shown after a client has sent it. */
const unlikelyStored: Law = {
  name: 'read-only-ignored',
  applies: (evidence) => writesBefore(evidence).length > 0 && shownRecords(evidence).length > 0,
  judge(evidence) {
    const { role } = evidence;
    const writes = writesBefore(evidence);
    return readOnlyMembers(role?.resource as Resource).flatMap(([name, member]) => {
      const sent = writes.map((write) => bodyOf(write)[name]).filter(isUnlikely);
      const stored = writtenRecords(evidence, writes, name).find((record) =>
        sent.some((value) => isSame(value, record[name])),
      );
      return stored ? [breach(name, member, stored[name])] : [];
    });
  },
};

/** So often in a row a value that a service may come to by itself must be shown as it was sent. */
const REPEATED = 6;

/** Of two values, or a few, each one that was sent is shown. */
const likelyStored: Law = {
  name: 'read-only-ignored',
  applies: (evidence) => writesBefore(evidence).length >= REPEATED && shownRecords(evidence).length > 0,
  judge(evidence) {
    const { role, earlier } = evidence;
    const all = [...earlier, evidence].filter((one) => one.role?.resource === role?.resource);
    return readOnlyMembers(role?.resource as Resource).flatMap(([name, member]) => {
      const pairs = all.flatMap((one, index) => {
        const got = isWrite(one) && name in bodyOf(one) ? shownAfter(name, one, all[index + 1]) : undefined;
        return got === undefined ? [] : [{ sent: bodyOf(one)[name], got }];
      });
      const isStored = pairs.length >= REPEATED && pairs.every(({ sent, got }) => isSame(sent, got));
      const [first, ...others] = pairs;
      const differ = others.some(({ sent }) => !equalJson(sent, first?.sent));
      return isStored && differ ? [breach(name, member, first?.sent)] : [];
    });
  },
};

/** The member in the response to a write or, since not every response shows the record, in the read after it. */
function shownAfter(name: string, write: Evidence, next: Evidence | undefined): unknown {
  return recordOf(write)?.[name] ?? (next?.role?.action === 'read' ? recordOf(next)?.[name] : undefined);
}

function breach(name: string, member: Shape, value: unknown): Breach {
  return {
    law: 'read-only-ignored',
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

/** Without what the schema of the request itself lets clients write: it says more of it than that of the record. */
function bodyOf({ role, operation, exchange }: Evidence): Data {
  const { properties } = recordInBody(role?.resource, operation).shape ?? {};
  const sent = Object.entries(recordSent(role?.resource, operation, exchange.input.body));
  return Object.fromEntries(sent.filter(([name]) => properties?.get(name)?.readOnly !== false));
}

/** The writes to the same resource so far, with this one. */
function writesBefore(evidence: Evidence): Evidence[] {
  const { role, earlier } = evidence;
  return [...earlier, evidence].filter((one) => isWrite(one) && one.role?.resource === role?.resource);
}

function shownRecords(evidence: Evidence): readonly Data[] {
  const record = evidence.succeeded ? recordOf(evidence) : undefined;
  return evidence.page?.records ?? (record ? [record] : []);
}

/**
 * Of a list those that were written, where their ids are known: what others have in a member may have been sent by anybody.
 * Of an id that was sent nobody else is to have it.
 */
function writtenRecords(evidence: Evidence, writes: readonly Evidence[], name: string): readonly Data[] {
  const { property = '' } = evidence.role?.resource.id ?? {};
  const ids = writes.map(writtenId);
  const isWritten = (record: Data) => ids.some((id) => String(id) === String(record[property]));
  const shown = shownRecords(evidence);
  const mayBeOthers = evidence.page && name !== property && !ids.includes(undefined);
  return mayBeOthers ? shown.filter(isWritten) : shown;
}

function writtenId({ role, exchange }: Evidence): unknown {
  if (role?.action === 'create') return createdIdOf(role.resource, exchange);
  return exchange.input.path?.[role?.resource.id?.parameter ?? ''];
}

/** Two spellings of one instant (RFC 3339) are the same. */
function isSame(sent: unknown, got: unknown): boolean {
  if (equalJson(sent, got)) return true;
  const isInstant = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return isInstant(sent) && isInstant(got) && Date.parse(String(sent)) === Date.parse(String(got));
}

/** A value that no service comes to by itself. */
export function isUnlikely(value: unknown): boolean {
  if (typeof value === 'string') return value.length >= 16 || /^19\d\d-\d\d-\d\d$/.test(value);
  return typeof value === 'bigint' || (typeof value === 'number' && Math.abs(value) > 2 ** 40);
}

export const READ_ONLY_LAWS: readonly Law[] = [unlikelyStored, likelyStored];
