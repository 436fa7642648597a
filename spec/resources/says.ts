import { rawChild } from '../document/spot.ts';
import type { Json } from '../meaning/meaning.ts';
import { foldedName, setOf } from '../meaning/names.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { OF_PAGE } from './list-form.ts';
import { recordName } from './paths.ts';
import { answerShape, memberShape, successOf, unwrapped } from './record-schema.ts';

/** Members of a response with its status, as a number. */
const STATUSES = setOf('status statuscode code httpstatus httpcode');
/** Flags that a success does not set. */
const FAILURES = setOf('error iserror haserror errors failed failure isfailed');
/** Where a schema says what the value is, nothing else does. */
const SAYING = ['example', 'examples', 'default', 'const', 'enum', 'format'];

/**
 * What a response of success always says beside records: its status, that it is no error, that it is done, and its
 * description as `message`, where their schemas say nothing else; around a record or a list also what these give as a constant,
 * a default or an example. A record has an `id`, and members of its own.
 * @param isEnvelope the records are in a member of it
 */
export function saysOf(operation: Operation, isEnvelope: boolean): Readonly<Record<string, Json>> {
  const answer = answerShape(operation);
  const isRecord = !isEnvelope && answer !== undefined && memberShape(answer, 'id') !== undefined;
  const isAround = isEnvelope || unwrapped(answer, recordName(operation.path)) !== answer;
  const found = [...(isRecord ? [] : (answer?.properties ?? []))].flatMap(
    ([name, member]): [string, Json][] => {
      const value = constantOf(operation, name, member) ?? (isAround ? statedBy(name, member) : undefined);
      return value !== undefined && member.allows(value) ? [[name, value]] : [];
    },
  );
  return { ...Object.fromEntries(found), ...operation.said.facts.says };
}

/** The value that a schema gives for a text or a flag of no particular form, and for a code. */
function statedBy(name: string, member: Shape): Json | undefined {
  const { mainType, values = [], examples } = member;
  const isOpen = mainType === 'boolean' || (mainType === 'string' && !member.find('format'));
  if (
    isSecretName(name) ||
    OF_PAGE.test(name) ||
    !(isOpen || (mainType === 'integer' && STATUSES.has(foldedName(name))))
  )
    return undefined;
  const only = values.length === 1 ? values[0] : undefined;
  return (only ?? member.find('default')?.value ?? examples[0]) as Json | undefined;
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
