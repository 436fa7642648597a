import { bodyMedia, type Operation, type Shape } from '#spec';
import { isReferring } from '../arrange/body.ts';
import { isValidBody } from '../arrange/record-members.ts';
import { ordinaryBody } from '../arrange/target.ts';
import { markMember } from '../laws/mark.ts';
import type { Trial } from '../run/trial.ts';

type Data = Readonly<Record<string, unknown>>;

/** A valid body that bears a mark of its own; another salt gives other values and other optional members. */
export async function variedBody(trial: Trial, operation: Operation, salt: number): Promise<Data> {
  const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
  if (salt === 0) return body;
  const shape = bodyMedia(operation.body)?.shape;
  if (!shape) return body;
  const varied = Object.entries(body).flatMap(([name, value], index) => {
    const member = shape.properties.get(name);
    const isMark = name === markMember(shape);
    // A bit of the salt for each member.
    const isChosen = ((salt >> (index % 3)) & 1) === 1;
    if (!member || isMark || !isChosen || isReferring(name, member)) return [[name, value]];
    if (!shape.required.has(name) && salt > 2) return [];
    return [[name, otherValue(member, value, salt) ?? value]];
  });
  const other: Data = Object.fromEntries(varied);
  return isValidBody(trial, operation, other) ? other : body;
}

/** A body for an update: one or two members. */
export async function partialBody(trial: Trial, operation: Operation, salt: number): Promise<Data> {
  const body = await variedBody(trial, operation, salt % 3);
  const shape = bodyMedia(operation.body)?.shape;
  const mark = shape && markMember(shape);
  const names = Object.keys(body).filter((name) => body[name] !== null);
  const first = mark ?? names[0];
  const others = names.filter((name) => name !== first);
  const other = salt === 0 ? undefined : others[salt % Math.max(1, others.length)];
  const chosen = new Set([
    ...(shape?.required ?? []),
    ...(salt % 2 === 1 && other ? [other] : [first, other]),
  ]);
  const part = Object.fromEntries(Object.entries(body).filter(([name]) => chosen.has(name)));
  return isValidBody(trial, operation, part) ? part : body;
}

/** Another value of a member that is easy to tell from this one; undefined: there is none. */
export function otherValue(member: Shape, value: unknown, salt = 1): unknown {
  const { values, mainType, range } = member;
  if (values) {
    const others = values.filter((other) => other !== value && other !== null);
    return others[salt % Math.max(1, others.length)];
  }
  if (mainType === 'boolean') return value !== true;
  if (mainType !== 'integer' || typeof value !== 'number' || member.find('multipleOf')) return undefined;
  const inRange = (other: number) =>
    other >= Number(range.low?.value ?? Number.NEGATIVE_INFINITY) &&
    other <= Number(range.high?.value ?? Number.POSITIVE_INFINITY);
  return [value + salt, value - salt].find((other) => Number.isSafeInteger(other) && inRange(other));
}
