import type { Json } from '../meaning/meaning.ts';
import { foldedName, setOf } from '../meaning/names.ts';
import { textOf } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { OF_PAGE } from './list-form.ts';
import { recordName } from './paths.ts';
import { answerShape, memberShape, successOf, unwrapped } from './record-schema.ts';

/** Members of a response with its status, as a number. */
const STATUSES = setOf('status statuscode code');
/** Flags that a success does not set. */
const FAILURES = setOf('error iserror errors failed failure');
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
  const isOpen =
    mainType === 'boolean' ||
    (mainType === 'string' && !member.find('format')) ||
    (mainType === 'integer' && STATUSES.has(foldedName(name)));
  if (!isOpen || isSecretName(name) || OF_PAGE.test(name)) return undefined;
  const only = values.length === 1 ? values[0] : undefined;
  return (only ?? member.find('default')?.value ?? examples[0]) as Json | undefined;
}

function constantOf(operation: Operation, name: string, member: Shape): Json | undefined {
  const { mainType, examples } = member;
  const folded = foldedName(name);
  const isRead = operation.method === 'GET';
  if (mainType === 'integer' && STATUSES.has(folded))
    return examples.some((one) => Math.floor(Number(one) / 100) !== 2)
      ? undefined
      : explicitStatuses(operation.responses).find((code) => code >= 200 && code < 300);
  if (SAYING.some((keyword) => member.find(keyword))) return undefined;
  if (mainType === 'boolean') return FAILURES.has(folded) ? false : !isRead || undefined;
  const response = mainType === 'string' && folded === 'message' && !isRead && successOf(operation);
  return (response && textOf(response.spot).trim()) || undefined;
}
