import type { Json } from '../meaning/meaning.ts';
import { foldedName, idWord, setOf } from '../meaning/names.ts';
import { isNullable } from '../meaning/paging.ts';
import { isVerb, verbOf } from '../meaning/verb.ts';
import { textOf } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import { roughlyFits } from '../schema/roughly-fits.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { OF_PAGE } from './list-form.ts';
import { lastSegment, recordName } from './paths.ts';
import { answerShape, memberShape, successOf, unwrapped } from './record-schema.ts';

/** Names of members with the status of the response as a number. */
const STATUSES = setOf('status statuscode code httpstatus httpcode');
/** Names of members that a success leaves unset. */
const FAILURES = setOf('error iserror haserror errors failed failure errormessage errormsg errorcode');
const SUCCESSES = setOf('success issuccess succeeded ok');
const MESSAGES = setOf('message msg');
/** Names of further members in an object about a request, in contrast to a record. */
const AROUND = setOf(
  'data result results payload timestamp path requestid traceid meta checks uptime version',
);
/** Names of members with the outcome of a request as a text. */
const OUTCOMES = setOf('status result outcome');
const WELL = setOf('success successful succeeded ok okay done pass passed up healthy ready');
const BADLY = setOf('error fail failed failure down unhealthy notready');
/** Keywords that determine a value, so that nothing else is inferred. */
const SAYING = ['example', 'examples', 'default', 'const', 'enum', 'format'];

/**
 * The constant members of a success beside records: its status, that it is no error, that it is done, and its description
 * as `message`, where their schemas say nothing else; around a record or a list also what these give as a constant, a
 * default or an example. A record has an `id`, and members of its own.
 * @param isEnvelope the records are in a member of it
 */
export function saysOf(operation: Operation, isEnvelope: boolean): Readonly<Record<string, Json>> {
  const answer = answerShape(operation);
  const isRecord = !isEnvelope && answer !== undefined && memberShape(answer, 'id') !== undefined;
  const isOfRecord = !isEnvelope && answer !== undefined && hasOtherId(answer);
  const isAround = isEnvelope || unwrapped(answer, recordName(operation.path)) !== answer;
  const isReport = isAround || operation.method !== 'GET' || isOfRequest(answer);
  const constants = [...(isRecord ? [] : (answer?.properties ?? []))].flatMap(
    ([name, member]): [string, Json][] => {
      const constant = constantOf(operation, name, member, isReport);
      // The outcome is told by an enumeration alone.
      if (isOfRecord && !member.values) return [];
      const value =
        constant === undefined && isAround
          ? (statedBy(name, member) ?? reportIn(operation, member))
          : constant;
      const done = isAround && value === undefined ? doneWithin(operation, name, member) : [];
      return value !== undefined && roughlyFits(member, value) ? [[name, value]] : done;
    },
  );
  return { ...Object.fromEntries(constants), ...operation.said.facts.says };
}

/** The members about failures that a success must omit, since their schemas allow no empty value. */
export function unsaidBy(operation: Operation): ReadonlySet<string> {
  const { properties = [], required } = answerShape(operation) ?? {};
  const isUnsaid = ([name, member]: [string, Shape]) =>
    FAILURES.has(foldedName(name)) &&
    !required?.has(name) &&
    !isNullable(member) &&
    !SAYING.some((keyword) => member.find(keyword)) &&
    ['minItems', 'minLength'].some((keyword) => (member.highest(keyword) ?? 0) > 0);
  return new Set([...properties].filter(isUnsaid).map(([name]) => name));
}

/** Whether a response has the id of a record, and does not report on it: `{ "orderId": 7, "success": true }`. */
function hasOtherId({ properties }: Shape): boolean {
  const names = [...properties.keys()];
  const isReporting = (name: string) =>
    [FAILURES, SUCCESSES, MESSAGES].some((set) => set.has(foldedName(name)));
  return names.some(idWord) && !names.some(isReporting);
}

/** An object beside the records that holds only the outcome of the request: `{ "code": 200, "message": "OK" }`. */
function reportIn(operation: Operation, { mainType, properties }: Shape): Json | undefined {
  const names = [...properties.keys()].map(foldedName);
  if (mainType !== 'object' || !names.some((name) => STATUSES.has(name) || MESSAGES.has(name)))
    return undefined;
  const said = [...properties].map(([name, member]) => {
    const constant = constantOf(operation, name, member, true);
    return [name, constant === undefined ? statedBy(name, member) : constant] as const;
  });
  return said.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(said) as Json);
}

/** Whether a response has a success flag, or only members about the request. */
function isOfRequest(answer: Shape | undefined): boolean {
  const names = [...(answer?.properties ?? [])].map(
    ([name, { mainType }]) => [foldedName(name), mainType] as const,
  );
  const isFlag = ([name, type]: (typeof names)[number]) =>
    type === 'boolean' && (SUCCESSES.has(name) || FAILURES.has(name));
  const of = [STATUSES, FAILURES, SUCCESSES, MESSAGES, AROUND];
  return names.some(isFlag) || names.every(([name]) => of.some((names) => names.has(name)));
}

/** The default or example of a plain text, a flag or a code. */
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

function constantOf(operation: Operation, name: string, member: Shape, isReport: boolean): Json | undefined {
  const { mainType, examples, values } = member;
  const folded = foldedName(name);
  const [response, answer] = [successOf(operation), answerShape(operation)];
  if (mainType === 'integer' && STATUSES.has(folded))
    return examples.some((example) => Math.floor(Number(example) / 100) !== 2)
      ? undefined
      : statusOf(operation);
  if (isReport && OUTCOMES.has(folded) && values?.some((value) => BADLY.has(foldedName(String(value)))))
    return values.find((value) => WELL.has(foldedName(String(value)))) as Json | undefined;
  if (FAILURES.has(folded) && values?.includes(0)) return 0;
  if (SAYING.some((keyword) => member.find(keyword))) return undefined;
  if (FAILURES.has(folded)) return nothingOf(member);
  if (mainType === 'boolean' && isDone(operation, name)) return operation.method !== 'DELETE';
  if (mainType === 'boolean')
    return (isReport && (operation.method !== 'GET' || SUCCESSES.has(folded))) || undefined;
  if (mainType !== 'string' || !isReport) return undefined;
  if (folded === 'status')
    return ['data', 'message'].some((one) => answer && memberShape(answer, one)) ? 'success' : 'ok';
  if (!MESSAGES.has(folded)) return undefined;
  return (response && textOf(response.spot).trim()) || (operation.method === 'POST' ? 'Created' : 'OK');
}

/** Whether a flag confirms the verb of the path: `following` for `POST /users/{name}/follow`. */
const isDone = ({ method, path }: Operation, name: string) =>
  method !== 'GET' && isVerb(verbOf(name), verbOf(lastSegment(path) ?? ''));

/** The same for an object in an envelope. */
const doneWithin = (operation: Operation, around: string, { properties }: Shape): [string, Json][] =>
  [...properties].flatMap(([name, { mainType }]): [string, Json][] =>
    mainType === 'boolean' && isDone(operation, name)
      ? [[`${around}.${name}`, operation.method !== 'DELETE']]
      : [],
  );

/** The first documented success status, else the usual one of the method. */
const statusOf = ({ responses, method }: Operation): number =>
  explicitStatuses(responses).find((code) => code >= 200 && code < 300) ?? (method === 'POST' ? 201 : 200);

/** An empty value for a member, if its schema allows one. */
function nothingOf(member: Shape): Json | undefined {
  if (isNullable(member)) return null;
  if ((member.highest('minItems') ?? 0) > 0) return undefined;
  const nothing: Partial<Record<string, Json>> = {
    boolean: false,
    array: [],
    string: '',
    object: {},
    integer: 0,
  };
  return nothing[member.mainType ?? ''];
}
