import {
  absentAs,
  basisOf,
  bodyMedia,
  type Contract,
  idempotencyKeyOf,
  isInteger,
  isRecord,
  memberShape,
  type Operation,
  type Resource,
  type Shape,
  uniqueKeys,
  writeMeaning,
} from '#spec';
import { createdStatus, pathToNew } from '../arrange/creation.ts';
import { type Listed, listedResources, type On, onEach } from '../arrange/lists.ts';
import { unknownId } from '../arrange/made-up.ts';
import { referencesIn, referringIn } from '../arrange/named-records.ts';
import { fitsRecord, inRecord } from '../arrange/record-members.ts';
import {
  anotherBody,
  askLongList,
  followCreation,
  ordinaryInput,
  readById,
  readNextId,
} from '../arrange/requests.ts';
import { createRecord, ordinaryBody, pathOf, tryCreate } from '../arrange/target.ts';
import { describeStatus, documentedOf } from '../laws/expect-status.ts';
import { refusalOfKey } from '../laws/follow-ups.ts';
import { markMember, recordInBody } from '../laws/mark.ts';
import { createsAtPath, successStatuses } from '../laws/operation-role.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { about, type Case, type Family, makeCase, slugOf } from './case.ts';
import { ordinaryTexts, type Variant } from './unusual-body.ts';

/** A created record is returned as it was sent, and exists from then on. */
export const creates: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { resource, operation: create } = on;
    if (!bodyMedia(create.body)) return [];
    const { shape } = recordInBody(resource, create);
    if (!shape || !mayBeObject(shape)) return [accepted(on, AS_A_WHOLE)];
    const isReferring = referringIn(contract, create);
    return [
      ...ordinaryBodies(contract, on, settings.onLoopback).map((variant) => ({
        ...accepted(on, variant),
        // It reads the record with the next id.
        quiet: variant[0] === 'ordinary',
      })),
      ...integersOf(shape, isReferring)
        .filter((name) => name !== resource.id?.property || shape.required.has(name))
        .filter((name) => fitsRecord(contract, create, shape, { [name]: BEYOND_DOUBLES }))
        .map((name) => exactInteger(on, shape, name, isReferring)),
      ...(isIdOfClient(resource, shape) || uniqueKeys(resource).length > 0 ? [] : [twins(on)]),
    ];
  });

/** A body without members: a text, bytes, an array. */
const AS_A_WHOLE: Variant = ['ordinary', 'as a whole', {}];

function mayBeObject({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === undefined || alternatives.some(mayBeObject);
}

/** Bodies that the document gives no reason to reject. */
function ordinaryBodies(contract: Contract, on: On, unmarked: boolean): Variant[] {
  const { resource, operation: create } = on;
  const enumerated = [...(recordInBody(resource, create).shape?.properties ?? [])].flatMap(([name, member]) =>
    (member.readOnly ? [] : choicesOf(member)).map(
      (value): Variant => [
        `${slugOf(name)}-${slugOf(String(value))}`,
        `with ${name} ${value}`,
        { change: inRecord(resource, create, (record) => ({ ...record, [name]: value })) },
      ],
    ),
  );
  return [
    ['ordinary', 'with all members', { asDocumented: true }],
    ['required-only', 'with the required members only', { requiredOnly: true }],
    ...enumerated,
    ...ordinaryTexts(contract, resource, create, unmarked),
    ...(bodyMedia(create.body)?.isJson ? [WITH_CHARSET] : []),
    ['chunked', 'sent in chunks', { chunked: true }],
  ];
}

const WITH_CHARSET: Variant = [
  'charset',
  'with a charset in its media type',
  { contentType: 'application/json; charset=utf-8' },
];

/** All values of a member, if they can be enumerated. */
function choicesOf({ values, mainType }: Shape): readonly unknown[] {
  return values ?? (mainType === 'boolean' ? [true, false] : []);
}

function accepted(on: On, [slug, title, variation]: Variant): Case {
  const says = `a body ${title} is accepted, is returned as it was sent, and stays`;
  return makeCase(on, slug, says, async (trial) => {
    const creation = await tryCreate(trial, on.resource, { ...variation, expect: 'success' });
    if (creation.sound) await followCreation(trial, on.resource, creation);
    if (creation.sound && slug === 'ordinary') await readNextId(trial, on.resource, creation);
    if (trial.findings.length === 0) trial.log.ledger.keep(creation.id);
  });
}

type IsReferring = ReturnType<typeof referringIn>;

function integersOf(shape: Shape, isReferring: IsReferring): string[] {
  return [...shape.properties]
    .filter(
      ([name, member]) =>
        member.mainType === 'integer' && !member.readOnly && (isReferring(name, member) || !member.values),
    )
    .filter(
      ([, member]) => Number(member.range.high?.value ?? Number.POSITIVE_INFINITY) > Number.MAX_SAFE_INTEGER,
    )
    .map(([name]) => name);
}

const BEYOND_DOUBLES = 9007199254740993n;

/** An integer beyond 2^53: a service may reject it, but must return an accepted one exactly. */
function exactInteger(on: On, shape: Shape, name: string, isReferring: IsReferring): Case {
  const title = `${name} ${BEYOND_DOUBLES} is returned exactly where it is accepted`;
  const member = shape.properties.get(name);
  const expect = member && isReferring(name, member) ? 'success or 4xx' : 'success';
  const { resource, operation, status } = on;
  const change = inRecord(resource, operation, (record) => ({ ...record, [name]: BEYOND_DOUBLES }));
  return makeCase(on, `${slugOf(name)}-beyond-2-53`, title, async (trial) => {
    const creation = await tryCreate(trial, resource, { expect, change });
    if (!creation.sound) return;
    if (creation.response.status === status) await followCreation(trial, resource, creation);
    else trial.leaveOpen(`${name} ${BEYOND_DOUBLES}: ${describeStatus(creation.response)}`);
  });
}

/** Whether the client chooses ids: then equal bodies cannot make two records. */
function isIdOfClient({ id }: Resource, body: Shape): boolean {
  const member = id && body.properties.get(id.property);
  return member !== undefined && !member.readOnly;
}

/** Two equal bodies create two records. */
function twins(on: On): Case {
  const { resource } = on;
  const drive = async (trial: Trial) => {
    let first: Readonly<Record<string, unknown>> | undefined;
    let last: typeof first;
    for (let count = 0; count < 2; count++) {
      const creation = await tryCreate(trial, resource, {
        change: (body) => {
          last = first ?? body;
          return last;
        },
        expect: 'success',
      });
      first ??= last;
      if (!creation.sound || !isRecord(creation.record)) return;
      await followCreation(trial, resource, creation);
    }
  };
  return makeCase(on, 'distinct-ids', 'two creates give two ids', drive, { creates: 2 });
}

/** A PUT creates the record that its path names, and replaces it the second time (RFC 9110 §9.3.4). */
export const upserts: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { read, replace } = resource.actions;
    const status = replace && createdStatus(replace);
    if (!read || !replace?.body || status === undefined || !createsAtPath(replace)) return [];
    if (writeMeaning(replace).acts || resource.id?.parameter === undefined) return [];
    return [madeAndReplaced(resource, read, replace, status)];
  });

/** Statuses that may reject the creation of such a record, whatever its id is. */
const REFUSALS = [403, 404, 405, 409, 422];

function madeAndReplaced(resource: Resource, read: Operation, put: Operation, status: number): Case {
  const title = 'what is put where nothing is is made, and is replaced the second time';
  const again = successStatuses(put).find((successStatus) => successStatus !== status) ?? status;
  return makeCase({ operation: put, status }, 'creates', title, async (trial) => {
    // The path and the body may both contain the record's name.
    const mark = trial.marks.next();
    const path = await pathOf(trial, put, pathToNew(trial, resource, put, mark));
    const before = await trial.send(read, { path, unknownId: true, chosenId: true });
    if (isSuccess(before.response)) throw new NotReached('the path that it chose names a record');
    const or4xx = documentedOf(put, REFUSALS).length > 0;
    const made = await trial.send(put, {
      path,
      body: await ordinaryBody(trial, put, { mark }),
      creates: true,
      expected: { status, or4xx },
    });
    if (!made.sound) return;
    if (made.response.status !== status)
      return trial.leaveOpen(`a PUT where nothing is: ${describeStatus(made.response)}`);
    const id = path[resource.id?.parameter ?? ''];
    await followCreation(trial, resource, { ...made, sent: {}, mark: undefined, record: undefined, id });
    if (trial.findings.length > 0) return;
    const { sound } = await trial.send(put, {
      path,
      body: await ordinaryBody(trial, put, { mark, optional: false }),
      creates: false,
      expected: { status: again },
    });
    if (sound) await readById(trial, resource, id);
  });
}

/** A create that was rejected for its body or credential left no record: none with its mark ever appears. */
export const refusedLeavesNothing: Family = (contract) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { resource, operation: create } = on;
    const [listed] = listedResources([resource]);
    const { shape } = recordInBody(resource, create);
    const member = shape && markMember(shape);
    if (!listed || !shape || member === undefined) return [];
    const missing = [...shape.required.keys()].find((name) => name !== member);
    const refused = (kind: string, send: (trial: Trial) => Promise<unknown>) => {
      const title = `an ${kind} create leaves no record behind`;
      const drive = (trial: Trial) => lookAfter(trial, listed, send);
      // It reads the records with the preceding ids.
      return makeCase(on, `${kind}-leaves-nothing`, title, drive, { quiet: true, creates: 2 });
    };
    const invalid = inRecord(resource, create, ({ [missing ?? '']: _, ...others }) => others);
    const without = async (trial: Trial) =>
      trial.send(create, { ...(await ordinaryInput(trial, create)), refused: NO_CREDENTIAL });
    return [
      ...(missing === undefined
        ? []
        : [refused('invalid', (trial) => tryCreate(trial, resource, { change: invalid }))]),
      ...(needsKey(create) ? [refused('unauthorised', without)] : []),
    ];
  });

async function lookAfter(
  trial: Trial,
  listed: Listed,
  send: (trial: Trial) => Promise<unknown>,
): Promise<void> {
  await send(trial);
  // The later record sorts behind the rejected one in any order: a list that shows it would show both.
  const later = await tryCreate(trial, listed.resource, { expect: 'success' });
  await askLongList(trial, listed);
  if (later.sound) await readIdsBefore(trial, listed.resource, later.id);
}

/** The number of ids before the latest that are read. */
const LOOKED_AT = 4;

/** With sequential ids, records of rejected bodies would have the ids just before; a long list might not show them. */
async function readIdsBefore(trial: Trial, resource: Resource, id: unknown): Promise<void> {
  if (!isInteger(id)) return;
  const before = Array.from({ length: LOOKED_AT }, (_, index) => BigInt(id) - BigInt(index + 1));
  await trial.together(before.map((earlier) => (part) => readById(part, resource, earlier)));
}

/** A create with an earlier idempotency key creates nothing: the same body gets the same record, another is rejected. */
export const repeated: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { operation, resource, status } = on;
    const parameter = idempotencyKeyOf(operation);
    if (!parameter || !settings.writes) return [];
    const fact = basisOf([operation.said.facts.idempotencyKey ? 'said' : 'name'], parameter.spot);
    const [listed] = listedResources([resource]);
    const withKey = (key: string) => ({ headers: [[parameter.name, key] as const] });
    const twice = async (trial: Trial, second: () => Promise<RequestInput> | RequestInput) => {
      const key = withKey(trial.marks.next());
      const { input } = await createRecord(trial, resource, key);
      await trial.send(operation, { ...input, ...key, reserved: true, ...(await second()) });
    };
    const again = async (trial: Trial) => {
      await twice(trial, () => ({ expected: { status, rests: [fact] } }));
      if (listed) await askLongList(trial, listed);
    };
    const other = (trial: Trial) => twice(trial, async () => ({ body: await anotherBody(trial, operation) }));
    const refusal = refusalOfKey(operation);
    const cases = [
      makeCase(on, 'repeated', 'a request with the same key and body makes one record', again, {
        creates: 2,
      }),
      makeCase(on, 'repeated-otherwise', 'a key with another body is refused', other, { creates: 2 }),
    ];
    return cases.slice(0, refusal === undefined ? 1 : 2).map((one) => about(fact, settings, one));
  });

/** A new record that refers to a missing one is rejected, where a status is documented for that. */
export const references: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { operation, resource } = on;
    const fact = absentAs(operation);
    const { shape } = recordInBody(resource, operation);
    if (!fact || !shape || !settings.writes) return [];
    return referencesIn(contract, operation).flatMap((reference) => {
      const member = memberShape(shape, reference.property);
      if (!member || member.readOnly) return [];
      return about(fact, settings, naming(on, reference, fact));
    });
  });

function naming(
  on: On,
  { property, parent, isList }: ReturnType<typeof referencesIn>[number],
  fact: NonNullable<ReturnType<typeof absentAs>>,
): Case {
  const { operation, resource } = on;
  const { status } = fact;
  const drive = async (trial: Trial) => {
    const { shape } = parent.id as NonNullable<Resource['id']>;
    const id = unknownId(shape, `${property} ${trial.plan.settings.seed}`);
    const change = inRecord(resource, operation, (record) => {
      const others = record[property];
      // The missing id follows an existing one: a service may check the first only.
      return { ...record, [property]: isList ? [...(Array.isArray(others) ? others : []), id] : id };
    });
    const expected = { status, or4xx: fact.certainty === 'presumed', rests: [fact] };
    await tryCreate(trial, resource, { change, expected });
  };
  const slug = `${slugOf(property)}-that-names-nothing`;
  const title = `a ${property} that names nothing is refused`;
  return makeCase({ operation, status }, slug, title, drive, { creates: 1 });
}
