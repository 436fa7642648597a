import { isRecord, type Operation, type Resource, responseFor, type Shape } from '#spec';
import { isReferring } from '../arrange/body.ts';
import { type Creation, tryCreate, type Variation } from '../arrange/create.ts';
import type { Case } from '../case.ts';
import { describeStatus } from '../laws/answer.ts';
import { judgeDistinct } from '../laws/identity.ts';
import { judgeKept, judgeReadOnly } from '../laws/record.ts';
import { successStatuses } from '../operation-role.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase, slugOf } from './family.ts';
import { findSecond, followCreation, readBack } from './follow-creation.ts';
import { ordinaryTexts, type Variant } from './ordinary-text.ts';

/** What may be created is created, comes back as it was sent, and is there from then on. */
export const creates: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create } = resource.actions;
    const success = create && successStatuses(create)[0];
    const shape = create?.body?.content.find(({ isJson }) => isJson)?.shape;
    if (!create || success === undefined || !shape) return [];
    return [
      ...ordinaryBodies(shape, settings.onLoopback).map(([slug, title, variation]) =>
        accepted(resource, create, success, slug, title, variation),
      ),
      ...referringMembers(shape).map((name) => exactInteger(resource, create, success, shape, name)),
      ...readOnlyMembers(resource).map((name) => neverTaken(resource, create, success, name)),
      twins(resource, create, success),
    ];
  });

/** Bodies that the document gives no reason to refuse. */
function ordinaryBodies(shape: Shape, unmarked: boolean): Variant[] {
  const enumerated = [...shape.properties].flatMap(([name, member]) =>
    (member.readOnly ? [] : choicesOf(member)).map(
      (value): Variant => [
        `${slugOf(name)}-${slugOf(String(value))}`,
        `with ${name} ${value}`,
        { change: (body) => ({ ...body, [name]: value }) },
      ],
    ),
  );
  return [
    ['ordinary', 'with all members', {}],
    ['required-only', 'with the required members only', { requiredOnly: true }],
    ...enumerated,
    ...ordinaryTexts(shape, unmarked),
    ['charset', 'with a charset in its media type', { contentType: 'application/json; charset=utf-8' }],
    ['chunked', 'sent in chunks', { chunked: true }],
  ];
}

/** All values that a member may have, where they can be told one by one. */
function choicesOf({ values, mainType }: Shape): readonly unknown[] {
  return values ?? (mainType === 'boolean' ? [true, false] : []);
}

function accepted(
  resource: Resource,
  create: Operation,
  success: number,
  slug: string,
  title: string,
  variation: Variation,
): Case {
  return makeCase(
    create,
    success,
    slug,
    `a body ${title} is accepted, comes back equal, and stays`,
    async (trial) => {
      const creation = await tryCreate(trial, resource, variation);
      if (!trial.expect(creation.answer, success)) return;
      judgeEcho(trial, resource, creation);
      if (trial.findings.length === 0) await followCreation(trial, resource, creation);
      if (trial.findings.length === 0 && slug === 'ordinary') await findSecond(trial, resource, creation);
      const { id, sent } = creation;
      if (trial.findings.length === 0) trial.run.memory.keep({ resource, id, sent });
    },
  );
}

function judgeEcho(trial: Trial, resource: Resource, { operation, sent, record, answer }: Creation): void {
  const spot = responseFor(operation.responses, answer.status)?.spot ?? operation.spot;
  trial.blame(judgeKept('created-equals-sent', resource.shape, sent, record, spot));
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
  return makeCase(
    create,
    success,
    `${slugOf(name)}-beyond-2-53`,
    `${name} ${BEYOND_DOUBLES} comes back exact where it is accepted`,
    async (trial) => {
      const change = (body: Record<string, unknown>) => ({ ...body, [name]: BEYOND_DOUBLES });
      const creation = await tryCreate(trial, resource, { change });
      if (creation.answer.status !== success && isReferring(name, shape.properties.get(name) as Shape)) {
        if (trial.expectRefusal(creation.answer, 'exact-integers'))
          trial.leaveOpen(`${name} ${BEYOND_DOUBLES}: ${describeStatus(creation.answer)}`);
        return;
      }
      if (!trial.expect(creation.answer, success)) return;
      judgeEcho(trial, resource, creation);
      if (trial.findings.length === 0) await followCreation(trial, resource, creation);
    },
  );
}

function readOnlyMembers({ shape }: Resource): string[] {
  return [...shape.properties]
    .filter(([, member]) => member.readOnly && member.mainType === 'integer')
    .map(([name]) => name);
}

const UNLIKELY = 4_503_599_627_370_001;

function neverTaken(resource: Resource, create: Operation, success: number, name: string): Case {
  return makeCase(
    create,
    success,
    `${slugOf(name)}-sent`,
    `a client's ${name} is refused or ignored, never taken`,
    async (trial) => {
      const creation = await tryCreate(trial, resource, {
        change: (body) => ({ ...body, [name]: UNLIKELY }),
      });
      if (creation.answer.status !== success) {
        if (trial.expectRefusal(creation.answer, 'read-only-ignored'))
          trial.leaveOpen(`${name} sent by a client: ${describeStatus(creation.answer)}`);
        return;
      }
      if (!trial.expect(creation.answer, success)) return;
      trial.blame(judgeReadOnly(resource, name, UNLIKELY, creation.record));
      if (trial.findings.length === 0) await followCreation(trial, resource, creation);
    },
  );
}

/** Two equal bodies are two records. */
function twins(resource: Resource, create: Operation, success: number): Case {
  return makeCase(create, success, 'distinct-ids', 'two creates give two ids', async (trial) => {
    let first: Record<string, unknown> | undefined;
    const ids: unknown[] = [];
    for (let count = 0; count < 2; count++) {
      const creation = await tryCreate(trial, resource, { change: (body) => first ?? body });
      first ??= creation.sent;
      if (!trial.expect(creation.answer, success) || !isRecord(creation.record)) return;
      ids.push(creation.id);
      await readBack(trial, resource, creation);
    }
    if (resource.id) trial.blame(judgeDistinct(resource, ids));
  });
}
