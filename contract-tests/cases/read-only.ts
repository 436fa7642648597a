import { bodyMedia, randomOf, type Shape, sample } from '#spec';
import { type On, onEach } from '../arrange/lists.ts';
import { inRecord } from '../arrange/record-members.ts';
import { followCreation, readById } from '../arrange/requests.ts';
import { createdId, ordinaryBody, pathTo, tryCreate } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { isUnlikely, readOnlyMembers } from '../laws/records.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** A read-only member that a client sends is rejected or ignored, and never stored. */
export const readOnly: Family = (contract) =>
  onEach(contract.resources, 'create', 'replace', 'update').flatMap((on) => {
    const { resource, operation } = on;
    if (!bodyMedia(operation.body)?.shape) return [];
    if (operation !== resource.actions.create && !resource.id?.parameter) return [];
    return readOnlyMembers(resource).flatMap(([name, member]) => {
      const values = valuesFor(name, member);
      return values.length === 0 ? [] : [{ ...neverStored(on, name, values), creates: values.length }];
    });
  });

function neverStored(on: On, name: string, values: readonly unknown[]): Case {
  const title = `a client's ${name} is refused or ignored, never stored`;
  return makeCase(on, `${slugOf(name)}-sent`, title, async (trial) => {
    const isCreate = on.operation === on.resource.actions.create;
    const id = isCreate ? undefined : await createdId(trial, on.resource);
    for (const value of values) {
      const change = inRecord(on.resource, on.operation, (record) => ({ ...record, [name]: value }));
      const { sound, response } = await (isCreate
        ? createWith(trial, on, change)
        : changeWith(trial, on, change, id));
      if (!sound) return;
      if (response.status === on.status) continue;
      return trial.leaveOpen(`${name} sent by a client: ${describeStatus(response)}`);
    }
  });
}

type Edit = ReturnType<typeof inRecord>;

async function createWith(trial: Trial, { resource }: On, change: Edit): Promise<Judged> {
  const creation = await tryCreate(trial, resource, { expect: 'success or 4xx', change });
  if (creation.sound && creation.record) await followCreation(trial, resource, creation);
  return creation;
}

/** Changes a record of the case. */
async function changeWith(trial: Trial, on: On, change: Edit, id: unknown): Promise<Judged> {
  const { resource, operation, status } = on;
  const path = await pathTo(trial, resource, operation, id);
  const body = change(await ordinaryBody(trial, operation, { mark: trial.marks.next() }), undefined);
  const changed = await trial.send(operation, { path, body, expected: { status, or4xx: true } });
  if (changed.sound) await readById(trial, resource, id);
  return changed;
}

const UNLIKELY = 4_503_599_627_370_001;

/** One value that no service would choose itself; otherwise several, which only together are evidence. */
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
  if (member.mainType === 'string') return unlikelyText(name, member);
  return member.mainType === 'integer' || member.mainType === 'number' ? UNLIKELY : undefined;
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
