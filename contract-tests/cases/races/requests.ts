import { bodyMedia, type Operation } from '#spec';
import { isReferring } from '../../arrange/body.ts';
import { isValidBody } from '../../arrange/record-members.ts';
import { ordinaryBody } from '../../arrange/target.ts';
import { markMember } from '../../laws/mark.ts';
import { successStatuses } from '../../laws/operation-role.ts';
import { type Raced, type RaceRequest, race } from '../../run/race.ts';
import type { Trial } from '../../run/trial.ts';
import type { RequestInput } from '../../send/plan-request.ts';
import type { Sent } from '../script.ts';
import { otherValue } from '../varied-body.ts';

type Data = Readonly<Record<string, unknown>>;

/** A body that differs from those of other writers in as many members as possible: a mix of two is seen. */
export async function distinctBody(trial: Trial, operation: Operation, writer: number): Promise<Data> {
  const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
  const shape = bodyMedia(operation.body)?.shape;
  const changed = Object.entries(body).map(([name, value]) => {
    const member = shape?.properties.get(name);
    const isKept =
      writer === 0 || !shape || !member || name === markMember(shape) || isReferring(name, member);
    return [name, isKept ? value : (otherValue(member, value, writer) ?? value)];
  });
  const varied: Data = Object.fromEntries(changed);
  return isValidBody(trial, operation, varied) ? varied : body;
}

/** Others are at work on the same record: any refusal is as right as the success. */
export function expectSuccess(operation: Operation): Pick<RequestInput, 'expected'> {
  const [status, ...more] = successStatuses(operation);
  return status === undefined || more.length > 0 ? {} : { expected: { status, or4xx: true } };
}

/** Sends requests at once, and takes note of them. */
export function sendAtOnce(trial: Trial, requests: readonly RaceRequest[], sent: Sent): Promise<Raced[]> {
  sent.push([...requests]);
  return race(trial, requests);
}
