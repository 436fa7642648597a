import { bodyMedia, type Operation, type Resource, randomOf, type Shape, sample } from '#spec';
import { inRecord } from '../arrange/record-members.ts';
import { followCreation, readById } from '../arrange/requests.ts';
import { createdId, ordinaryBody, pathTo, tryCreate } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { isUnlikely, readOnlyMembers } from '../laws/records.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** A read-only member that a client sends is refused or ignored, and never stored. */
export const readOnly: Family = (contract) =>
  contract.resources.flatMap((resource) =>
    (['create', 'replace', 'update'] as const).flatMap((action) => {
      const operation = resource.actions[action];
      const success = operation && successStatuses(operation)[0];
      const shape = bodyMedia(operation?.body)?.shape;
      if (!operation || success === undefined || !shape) return [];
      if (action !== 'create' && !resource.id?.parameter) return [];
      return readOnlyMembers(resource).flatMap(([name, member]) => {
        const values = valuesFor(name, member);
        if (values.length === 0) return [];
        return [{ ...neverStored(resource, operation, success, name, values), creates: values.length }];
      });
    }),
  );

function neverStored(
  resource: Resource,
  operation: Operation,
  success: number,
  name: string,
  values: readonly unknown[],
): Case {
  const title = `a client's ${name} is refused or ignored, never stored`;
  return makeCase(operation, success, `${slugOf(name)}-sent`, title, async (trial) => {
    const send =
      operation === resource.actions.create
        ? (value: unknown) => createWith(trial, resource, operation, name, value)
        : await changeWith(trial, resource, operation, success, name);
    for (const value of values) {
      const { sound, response } = await send(value);
      if (!sound) return;
      if (response.status === success) continue;
      return trial.leaveOpen(`${name} sent by a client: ${describeStatus(response)}`);
    }
  });
}

async function createWith(
  trial: Trial,
  resource: Resource,
  create: Operation,
  name: string,
  value: unknown,
): Promise<Judged> {
  const creation = await tryCreate(trial, resource, {
    expect: 'success or 4xx',
    change: inRecord(resource, create, (record) => ({ ...record, [name]: value })),
  });
  if (creation.sound && creation.record) await followCreation(trial, resource, creation);
  return creation;
}

/** A change of a record of its own. */
async function changeWith(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  success: number,
  name: string,
): Promise<(value: unknown) => Promise<Judged>> {
  const id = await createdId(trial, resource);
  const path = await pathTo(trial, resource, operation, id);
  return async (value) => {
    const ordinary = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
    const body = inRecord(resource, operation, (record) => ({ ...record, [name]: value }))(
      ordinary,
      undefined,
    );
    const changed = await trial.send(operation, { path, body, expected: { status: success, or4xx: true } });
    if (changed.sound) await readById(trial, resource, id);
    return changed;
  };
}

const UNLIKELY = 4_503_599_627_370_001;

/** One value that no service comes to by itself; else several, since only all of them together are evidence. */
function valuesFor(name: string, member: Shape): unknown[] {
  const made = [unlikely(name, member)].filter((value) => isUnlikely(value) && fits(member, value));
  if (made.length > 0) return made;
  const [one, two = one] = member.values ?? (member.mainType === 'boolean' ? [true, false] : []);
  if (one !== undefined) return one === two ? [] : [one, two, two, one, one, two];
  if (!SCALARS.has(member.mainType ?? '')) return [];
  return [...new Set(Array.from({ length: 6 }, (_, index) => tried(member, `read-only ${name} ${index}`)))];
}

const SCALARS = new Set(['string', 'integer', 'number']);

function unlikely(name: string, member: Shape): unknown {
  switch (member.mainType) {
    case 'integer':
      return UNLIKELY;
    case 'number':
      return UNLIKELY;
    case 'string':
      return unlikelyText(name, member);
    default:
      return undefined;
  }
}

const TEXTS: Readonly<Record<string, string>> = { 'date-time': '1987-03-14T15:09:26Z', date: '1987-03-14' };

function unlikelyText(name: string, member: Shape): unknown {
  if (member.values) return undefined;
  const format = member.find('format')?.value;
  if (format !== undefined) return TEXTS[String(format)] ?? tried(member, `read-only ${name}`);
  if (member.find('pattern')) return tried(member, `read-only ${name}`);
  return `not by the service ${randomOf(name).integer(1000, 9999)}`;
}

function tried(member: Shape, key: string): unknown {
  try {
    return sample(member, { key });
  } catch {
    return undefined;
  }
}

function fits(member: Shape, value: unknown): boolean {
  const { low, high } = member.range;
  if (typeof value === 'string')
    return (
      value.length <= (member.lowest('maxLength') ?? value.length) &&
      value.length >= (member.highest('minLength') ?? 0)
    );
  return (!low || low.value < Number(value)) && (!high || high.value > Number(value));
}
