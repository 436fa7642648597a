import {
  bodyMedia,
  type Contract,
  isRecord,
  type Operation,
  type Resource,
  type Shape,
  uniqueKeys,
} from '#spec';
import { isReferring } from '../arrange/body.ts';
import { fitsRecord, inRecord } from '../arrange/record-members.ts';
import { followCreation, readNextId } from '../arrange/requests.ts';
import { tryCreate, type Variation } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { recordInBody } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';
import { ordinaryTexts, type Variant } from './ordinary-text.ts';

/** What may be created is created, is returned as it was sent, and exists from then on. */
export const creates: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create } = resource.actions;
    const success = create && successStatuses(create)[0];
    if (!create || success === undefined || !bodyMedia(create.body)) return [];
    const { shape } = recordInBody(resource, create);
    if (!shape || !mayBeObject(shape)) return [accepted(resource, create, success, AS_A_WHOLE)];
    return [
      ...ordinaryBodies(contract, resource, create, settings.onLoopback).map((variant) => ({
        ...accepted(resource, create, success, variant),
        // It reads the record with the next id.
        quiet: variant[0] === 'ordinary',
      })),
      ...referringMembers(shape)
        .filter((name) => name !== resource.id?.property || shape.required.has(name))
        .filter((name) => fitsRecord(contract, create, shape, { [name]: BEYOND_DOUBLES }))
        .map((name) => exactInteger(resource, create, success, shape, name)),
      ...(isIdOfClient(resource, shape) || uniqueKeys(resource).length > 0
        ? []
        : [twins(resource, create, success)]),
    ];
  });

/** A body without members: a text, bytes, an array. */
const AS_A_WHOLE: Variant = ['ordinary', 'as a whole', {}];

function mayBeObject({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === undefined || alternatives.some(mayBeObject);
}

/** Bodies that the document gives no reason to refuse. */
function ordinaryBodies(
  contract: Contract,
  resource: Resource,
  create: Operation,
  unmarked: boolean,
): Variant[] {
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

/** All values that a member may have, where they can be told one by one. */
function choicesOf({ values, mainType }: Shape): readonly unknown[] {
  return values ?? (mainType === 'boolean' ? [true, false] : []);
}

function accepted(
  resource: Resource,
  create: Operation,
  success: number,
  [slug, title, variation]: Variant,
): Case {
  const says = `a body ${title} is accepted, is returned as it was sent, and stays`;
  return makeCase(create, success, slug, says, async (trial) => {
    const creation = await tryCreate(trial, resource, { ...variation, expect: 'success' });
    if (creation.sound) await followCreation(trial, resource, creation);
    if (creation.sound && slug === 'ordinary') await readNextId(trial, resource, creation);
    if (trial.findings.length === 0) trial.run.ledger.keep(creation.id);
  });
}

function referringMembers(shape: Shape): string[] {
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

/** An integer beyond 2^53: a service may know no such value, but if it takes it, then exactly. */
function exactInteger(
  resource: Resource,
  create: Operation,
  success: number,
  shape: Shape,
  name: string,
): Case {
  const title = `${name} ${BEYOND_DOUBLES} is returned exactly where it is accepted`;
  const member = shape.properties.get(name);
  const expect = member && isReferring(name, member) ? 'success or 4xx' : 'success';
  return taken(resource, create, success, `${slugOf(name)}-beyond-2-53`, title, `${name} ${BEYOND_DOUBLES}`, {
    expect,
    change: inRecord(resource, create, (record) => ({ ...record, [name]: BEYOND_DOUBLES })),
  });
}

/** A create that may be refused; what the target did is then left open. */
function taken(
  resource: Resource,
  create: Operation,
  success: number,
  slug: string,
  title: string,
  what: string,
  variation: Variation,
): Case {
  return makeCase(create, success, slug, title, async (trial) => {
    const creation = await tryCreate(trial, resource, variation);
    if (!creation.sound) return;
    if (creation.response.status === success) await followCreation(trial, resource, creation);
    else trial.leaveOpen(`${what}: ${describeStatus(creation.response)}`);
  });
}

/** Whoever chooses the ids cannot have two records with one. */
function isIdOfClient({ id }: Resource, body: Shape): boolean {
  const member = id && body.properties.get(id.property);
  return member !== undefined && !member.readOnly;
}

/** Two equal bodies are two records. */
function twins(resource: Resource, create: Operation, success: number): Case {
  const one = makeCase(create, success, 'distinct-ids', 'two creates give two ids', async (trial) => {
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
  });
  return { ...one, creates: 2 };
}
