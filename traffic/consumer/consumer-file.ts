import { existsSync, readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, type Node, parseDocument, YAMLMap } from 'yaml';
import {
  DocumentError,
  isEqual,
  isRecord,
  type JsonType,
  METHODS,
  readSourceFile,
  stringifyJson,
  YAML_TEXTS,
} from '#spec';
import { type Consumer, mergeOperations, USED_PLACES } from './consumer.ts';

/** A consumer file that cannot be used: with file, line and remedy. */
export class ConsumerFileError extends Error {
  override name = 'ConsumerFileError';
}

/** The form of the file, which a later one may read in another way. */
const FORMAT = 1;

/**
 * Reads a consumer file, YAML or JSON.
 * @throws ConsumerFileError
 */
export function readConsumer(path: string): Consumer {
  return parseConsumer(path, readText(path));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConsumerFileError((error as Error).message);
  }
}

export function parseConsumer(path: string, text: string): Consumer {
  let file: ReturnType<typeof readSourceFile>;
  try {
    file = readSourceFile(path, text);
  } catch (error) {
    throw error instanceof DocumentError ? new ConsumerFileError(error.message) : error;
  }
  const refuse: Refuse = (steps, message) => {
    throw new ConsumerFileError(`${path}:${file.positionOf(steps).line}: ${message}`);
  };
  const { value } = file;
  if (!isRecord(value)) return refuse([], 'the file must hold { consumer, format, operations }');
  closed(value, ['consumer', 'format', 'operations'], [], refuse);
  if (typeof value.consumer !== 'string' || value.consumer === '')
    refuse(['consumer'], '"consumer" must be the name of the client');
  if (value.format !== FORMAT)
    refuse(['format'], `"format" must be ${FORMAT}: no other one is known to this version of Paddock`);
  checkEach(value.operations, ['operations'], refuse, checkOperation);
  return value as unknown as Consumer;
}

type Refuse = (steps: readonly string[], message: string) => never;
type Check = (value: unknown, steps: readonly string[], refuse: Refuse, key: string) => void;

const OPERATION = new RegExp(`^(?:${METHODS.join('|')}) /`);
const TYPES: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

const checkOperation: Check = (value, steps, refuse, key) => {
  if (!OPERATION.test(key))
    refuse(steps, `"${key}" must be a method and a path of the document, such as GET /pets/{petId}`);
  if (!isRecord(value)) return refuse(steps, 'an operation must be an object with "responses"');
  closed(value, [...USED_PLACES, 'types', 'body', 'unseenBodies', 'responses'], steps, refuse);
  for (const place of [...USED_PLACES, 'body'])
    if (value[place] !== undefined) checkEach(value[place], [...steps, place], refuse, checkSent);
  if (value.types !== undefined) checkTexts(value.types, [...steps, 'types'], refuse);
  checkFlag(value.unseenBodies, [...steps, 'unseenBodies'], refuse);
  checkEach(value.responses, [...steps, 'responses'], refuse, checkResponse);
};

const checkSent: Check = (value, steps, refuse) => {
  if (!isRecord(value)) return refuse(steps, 'it must be an object such as { values: [1, 2] }');
  closed(value, ['values', 'others', 'sometimes'], steps, refuse);
  if (value.values !== undefined && !Array.isArray(value.values))
    refuse([...steps, 'values'], '"values" must be a list');
  if (value.others !== undefined) {
    checkTexts(value.others, [...steps, 'others'], refuse);
    for (const one of value.others as string[])
      if (!TYPES.includes(one as JsonType))
        refuse([...steps, 'others'], `"${one}" is no type: ${TYPES.join(', ')} are`);
  }
  checkFlag(value.sometimes, [...steps, 'sometimes'], refuse);
};

const checkResponse: Check = (value, steps, refuse, key) => {
  if (!/^[1-5]\d\d$/.test(key)) refuse(steps, `"${key}" must be a status, such as "200"`);
  if (!isRecord(value)) return refuse(steps, 'it must be an object, such as { reads: [/name] }, or {}');
  closed(value, ['reads', 'request'], steps, refuse);
  if (value.reads !== undefined) {
    checkTexts(value.reads, [...steps, 'reads'], refuse);
    for (const [index, one] of (value.reads as string[]).entries())
      if (!/^(?:(?:\/(?:[^~]|~[01])*)?|[!#$%&'*+.^_`|~\w-]+)$/.test(one))
        refuse(
          [...steps, 'reads', String(index)],
          `"${one}" must be a JSON Pointer such as /items/-/name, or the name of a header`,
        );
  }
  const { request } = value;
  if (request === undefined) return;
  if (!isRecord(request)) return refuse([...steps, 'request'], '"request" must be an object');
  closed(request, [...USED_PLACES, 'type', 'body'], [...steps, 'request'], refuse);
  for (const place of USED_PLACES)
    if (request[place] !== undefined && !isRecord(request[place]))
      refuse([...steps, 'request', place], `"${place}" must be an object of names and values`);
};

function closed(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  steps: readonly string[],
  refuse: Refuse,
): void {
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  if (stranger !== undefined)
    refuse([...steps, stranger], `"${stranger}" is no member here: ${known.join(', ')} are`);
}

function checkEach(value: unknown, steps: readonly string[], refuse: Refuse, check: Check): void {
  if (!isRecord(value)) {
    refuse(steps, `"${steps.at(-1)}" must be an object`);
    return;
  }
  for (const [key, one] of Object.entries(value)) check(one, [...steps, key], refuse, key);
}

function checkTexts(value: unknown, steps: readonly string[], refuse: Refuse): void {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
    refuse(steps, `"${steps.at(-1)}" must be a list of texts`);
}

function checkFlag(value: unknown, steps: readonly string[], refuse: Refuse): void {
  if (value !== undefined && value !== true) refuse(steps, `"${steps.at(-1)}" must be true, or absent`);
}

const HEAD = ` What a client uses of a service: written by "paddock mock", "proxy" and "judge" (--consumer), read by "paddock compat".
 "reads" of a response is for you to write: JSON Pointers of what the client reads of the body (/name; /items/-/name for
 every item), and names of headers. Without it, what is read is unknown.`;

/**
 * The text of a consumer file with what was seen added to it: what is in it stays, with its comments.
 * @param before undefined: there is no file
 * @throws ConsumerFileError for a text that is no such file, or one of another client
 */
export function addToConsumer(path: string, before: string | undefined, seen: Consumer): string {
  const known = before === undefined || before.trim() === '' ? undefined : parseConsumer(path, before);
  if (known && known.consumer !== seen.consumer)
    throw new ConsumerFileError(
      `${path}: it is the file of "${known.consumer}", and not of "${seen.consumer}"`,
    );
  const operations = known
    ? mergeOperations(known.operations, sorted(seen.operations))
    : sorted(seen.operations);
  const whole = { consumer: seen.consumer, format: FORMAT, operations };
  if (/\.json$/i.test(path)) return `${stringifyJson(whole, 2)}\n`;
  const document: Document = parseDocument(known ? (before ?? '') : '', { ...YAML_TEXTS, intAsBigInt: true });
  if (!known) document.commentBefore = HEAD;
  document.contents = updated(document, document.contents ?? undefined, whole, 0) as never;
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

/** A file is the same, whichever operation was called first. */
function sorted(operations: Consumer['operations']): Consumer['operations'] {
  const pathFirst = (key: string) => key.split(' ').reverse().join(' ');
  return Object.fromEntries(
    Object.entries(operations).sort(([one], [other]) => (pathFirst(one) < pathFirst(other) ? -1 : 1)),
  );
}

/** `consumer`, `operations`, an operation, a part of it, a parameter or a status: what is deeper stands on its line. */
const BLOCKS = 4;

/** The node with a value in it, whose other members and comments stay. */
function updated(document: Document, node: Node | undefined, value: unknown, depth: number): Node {
  if (isMap(node) && isRecord(value) && node.items.length > 0) {
    for (const [key, member] of Object.entries(value)) {
      const pair = node.items.find((one) => keyOf(one.key) === key);
      if (pair) pair.value = updated(document, pair.value as Node, member, depth + 1);
      else node.add(document.createPair(key, updated(document, undefined, member, depth + 1)));
    }
    return node;
  }
  if (node && isEqual(node.toJS(document), exactly(value))) return node;
  if (isRecord(value) && Object.keys(value).length > 0 && depth < BLOCKS) {
    const map = new YAMLMap(document.schema);
    for (const [key, member] of Object.entries(value))
      map.add(document.createPair(key, updated(document, undefined, member, depth + 1)));
    return map;
  }
  const made = document.createNode(value) as Node & { flow?: boolean };
  if (!isScalar(made)) made.flow = true;
  return made;
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** As a document is read whose integers are exact. */
function exactly(value: unknown): unknown {
  if (Number.isInteger(value)) return BigInt(value as number);
  if (Array.isArray(value)) return value.map(exactly);
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, exactly(member)]));
  return value;
}

/** @returns undefined: there is no file */
export function textOf(path: string): string | undefined {
  return existsSync(path) ? readText(path) : undefined;
}
