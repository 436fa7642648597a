import { rawChild } from '../document/spot.ts';
import type { Json } from '../meaning/meaning.ts';
import { foldedName } from '../meaning/names.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape, memberShape, successOf } from './record-schema.ts';

/** Members of a response with its status, as a number. */
const STATUSES: ReadonlySet<string> = new Set('status statuscode code httpstatus httpcode'.split(' '));
/** Flags that a success does not set. */
const FAILURES: ReadonlySet<string> = new Set(
  'error iserror haserror errors failed failure isfailed'.split(' '),
);
/** Where a schema says what the value is, nothing else does. */
const SAYING = ['example', 'examples', 'default', 'const', 'enum', 'format'];

/**
 * What a response of success always says beside records: its status, that it is no error, that it is done, and its
 * description as `message`, where their schemas say nothing else. A record has an `id`, and members of its own.
 * @param isEnvelope the records are in a member of it
 */
export function saysOf(operation: Operation, isEnvelope: boolean): Readonly<Record<string, Json>> {
  const answer = answerShape(operation);
  const isRecord = !isEnvelope && answer !== undefined && memberShape(answer, 'id') !== undefined;
  const own = isRecord ? [] : [...(answer?.properties ?? [])];
  const found = own.flatMap(([name, member]): [string, Json][] => {
    const value = constantOf(operation, name, member);
    return value !== undefined && member.allows(value) ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(found), ...operation.said.facts.says };
}

function constantOf(operation: Operation, name: string, member: Shape): Json | undefined {
  const { mainType } = member;
  const folded = foldedName(name);
  if (mainType === 'integer' && STATUSES.has(folded)) {
    const isOther = member.examples.some((one) => Math.floor(Number(one) / 100) !== 2);
    return isOther
      ? undefined
      : explicitStatuses(operation.responses).find((code) => code >= 200 && code < 300);
  }
  if (SAYING.some((keyword) => member.find(keyword))) return undefined;
  if (mainType === 'boolean') return FAILURES.has(folded) ? false : operation.method !== 'GET' || undefined;
  if (mainType !== 'string' || folded !== 'message' || operation.method === 'GET') return undefined;
  const response = successOf(operation);
  const text = response && rawChild(response.spot, 'description')?.value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
