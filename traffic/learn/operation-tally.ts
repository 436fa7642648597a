import { essenceOf, isEqual, isJsonType, isRecord, readParts, tryJson } from '#spec';
import { type HeaderPair, headerOf, type RecordedExchange } from '../har/recorded-exchange.ts';
import { type CredentialSign, credentialsOf } from './credential-signs.ts';
import { createTextTally, mergeTexts, noteText, type TextTally } from './text-tally.ts';
import { createTally, entryAt, mergeValues, noteValue, type ValueTally } from './value-tally.ts';

/** Texts with one name: a parameter, a header, a form field. */
export interface NamedTally {
  seen: number;
  /** Whether it occurred several times in one exchange. */
  isRepeated: boolean;
  readonly texts: TextTally;
  /** Whether it is a file in a form. */
  isFile: boolean;
}

/** Bodies of one media type. */
export interface ContentTally {
  seen: number;
  /** For JSON; undefined: none was observed. */
  values: ValueTally | undefined;
  /** For forms, by field. */
  fields: Map<string, NamedTally> | undefined;
  /** The first one, if it is short; undefined: none. */
  example: unknown;
}

export interface MessageTally {
  seen: number;
  /** By media type without parameters. */
  readonly content: Map<string, ContentTally>;
  readonly headers: Map<string, NamedTally>;
}

/** One method of a path. */
export interface OperationTally {
  seen: number;
  /** Exchanges without errors: requests are learned from these, if there are any. */
  accepted: RequestTally;
  refused: RequestTally;
  readonly responses: Map<number, MessageTally>;
}

export interface RequestTally extends MessageTally {
  readonly query: Map<string, NamedTally>;
  /** Sets of credentials by key, with their counts. */
  readonly credentials: Map<string, { readonly signs: readonly CredentialSign[]; seen: number }>;
}

const LONGEST_EXAMPLE = 4096;
const MOST_SHOWN = 2000;
const IDENTITY =
  /^_?(?:id|uid|uuid|key|slug|name|code|login|username|sid|ref|handle|alias|sku|isbn|hash|fingerprint|permalink)$|(?:_id|Id|ID)$/;
/** A text that is no keyword of a program, whatever its member is called. */
const SLUG = /^(?=.*[\d.-])[A-Za-z\d][\w.~-]{2,80}$/;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** What is learned of one path; several paths are merged when segments turn out to be ids. */
export class PathTally {
  /** Ids and names in responses of this path. */
  readonly identifiers = new Set<string>();
  readonly operations = new Map<string, OperationTally>();

  add({
    request,
    response,
  }: RecordedExchange & { response: NonNullable<RecordedExchange['response']> }): void {
    const operation = entryAt(this.operations, request.method, createOperation);
    const { status } = response;
    operation.seen += 1;
    const tally = status < 400 || status >= 500 ? operation.accepted : operation.refused;
    tally.seen += 1;
    noteAll(tally.query, [...request.url.searchParams]);
    noteAll(tally.headers, request.headers, true);
    const signs = credentialsOf(request);
    const key = signs.map((sign) => sign.key).join(' ');
    entryAt(tally.credentials, key, () => ({ signs, seen: 0 })).seen += 1;
    const sent = noteBody(tally, request.headers, request.body, request.bodyMissing, withoutVariables);
    const form = isQuery(sent?.value) ? withoutData : (value: unknown) => value;
    const answer = entryAt(operation.responses, status, createMessage);
    answer.seen += 1;
    noteAll(answer.headers, response.headers, true);
    const received = noteBody(answer, response.headers, response.body, response.bodyMissing, form);
    if (status >= 300) return;
    showIds(received?.value, this.identifiers, 0);
    if (sent && received) noteUnkept(sent, received);
  }

  /** Whether any response shows that the path exists. */
  isTelling(): boolean {
    return [...this.operations.values()].some(({ responses }) =>
      [...responses.keys()].some((status) => status !== 304 && status !== 404 && status !== 405),
    );
  }

  /** Whether any request was accepted. */
  isAccepted(): boolean {
    return [...this.operations.values()].some(({ responses }) =>
      [...responses.keys()].some((status) => status < 400 && status !== 304),
    );
  }

  /** Methods and forms of responses: equal for paths with the same behaviour. Empty: unknown. */
  signature(): string {
    const parts = [...this.operations].map(([method, { responses }]) => {
      const success = [...responses]
        .filter(([status]) => status < 300)
        .flatMap(([, { content }]) => [...content]);
      const shapes = success.map(([type, { values }]) => `${type} ${shapeOf(values)}`);
      return shapes.length > 0 ? `${method} ${shapes.sort().join(' ')}` : '';
    });
    return parts.some((part) => part.includes('{')) ? parts.filter(Boolean).sort().join('\n') : '';
  }

  merge(other: PathTally): void {
    for (const text of other.identifiers) if (this.identifiers.size < MOST_SHOWN) this.identifiers.add(text);
    for (const [method, operation] of other.operations)
      mergeOperations(entryAt(this.operations, method, createOperation), operation);
  }
}

function createOperation(): OperationTally {
  return { seen: 0, accepted: createRequest(), refused: createRequest(), responses: new Map() };
}

function createMessage(): MessageTally {
  return { seen: 0, content: new Map(), headers: new Map() };
}

function createRequest(): RequestTally {
  return { ...createMessage(), query: new Map(), credentials: new Map() };
}

function createContent(): ContentTally {
  return { seen: 0, values: undefined, fields: undefined, example: undefined };
}

function createNamed(): NamedTally {
  return { seen: 0, isRepeated: false, texts: createTextTally(), isFile: false };
}

/** With more distinct names than this, they are data and no parameters. */
const MOST_NAMES = 500;

function noteAll(tallies: Map<string, NamedTally>, pairs: readonly HeaderPair[], isHeader = false): void {
  for (const [name, texts] of Map.groupBy(pairs, ([key]) => (isHeader ? key.toLowerCase() : key))) {
    if (tallies.size >= MOST_NAMES && !tallies.has(name)) continue;
    const tally = entryAt(tallies, name, createNamed);
    tally.seen += 1;
    tally.isRepeated ||= texts.length > 1;
    for (const [, text] of texts) noteText(tally.texts, text);
  }
}

/**
 * @param learnedOf what is learned of a JSON body
 * @returns the value of that body, and where it was noted
 */
function noteBody(
  message: MessageTally,
  headers: readonly HeaderPair[],
  body: Uint8Array | undefined,
  isMissing: boolean,
  learnedOf: (value: unknown) => unknown,
): NotedValue | undefined {
  const type = headerOf(headers, 'content-type') ?? '';
  const hasBody = body !== undefined && body.length > 0;
  if (type === '' || (!hasBody && !isMissing)) return undefined;
  const essence = essenceOf(type);
  const content = entryAt(message.content, essence, createContent);
  content.seen += 1;
  if (isMissing || !hasBody) return undefined;
  if (isJsonType(essence)) return noteJson(content, body, learnedOf);
  const fields =
    essence === FORM ? formFields(body) : essence === MULTIPART ? partFields(body, type) : undefined;
  if (!fields) return undefined;
  content.fields ??= new Map();
  noteAll(
    content.fields,
    fields.map(({ name, text }): HeaderPair => [name, text]),
  );
  for (const { name, isFile } of fields) {
    const field = content.fields.get(name);
    if (field && isFile) field.isFile = true;
  }
  return undefined;
}

interface NotedValue {
  readonly value: unknown;
  readonly tally: ValueTally;
}

function noteJson(
  content: ContentTally,
  body: Uint8Array,
  learnedOf: (value: unknown) => unknown,
): NotedValue | undefined {
  const value = tryJson(body);
  if (value === undefined) return undefined;
  content.values ??= createTally();
  noteValue(content.values, learnedOf(value));
  if (body.length <= LONGEST_EXAMPLE) content.example ??= value;
  return { value, tally: content.values };
}

const GRAPHQL = /^\s*(?:#.*\n\s*)*(?:(?:query|mutation|subscription|fragment)\b|\{)/;

function isQuery(sent: unknown): sent is Readonly<Record<string, unknown>> {
  return isRecord(sent) && typeof sent.query === 'string' && GRAPHQL.test(sent.query);
}

/** Variables and data of GraphQL vary with each query. */
function withoutVariables(sent: unknown): unknown {
  return isQuery(sent) && isRecord(sent.variables) ? { ...sent, variables: {} } : sent;
}

function withoutData(value: unknown): unknown {
  return isRecord(value) && isRecord(value.data) ? { ...value, data: {} } : value;
}

interface Field {
  readonly name: string;
  readonly text: string;
  readonly isFile: boolean;
}

function formFields(body: Uint8Array): Field[] {
  return [...new URLSearchParams(new TextDecoder().decode(body))].map(([name, text]) => ({
    name,
    text,
    isFile: false,
  }));
}

function partFields(body: Uint8Array, type: string): Field[] | undefined {
  try {
    return readParts(body, type).map(({ name, filename, bytes }) => {
      const isFile = filename !== undefined;
      return { name, text: isFile ? '' : new TextDecoder().decode(bytes), isFile };
    });
  } catch {
    return undefined;
  }
}

/** Collects ids and names of records in a response. */
function showIds(value: unknown, identifiers: Set<string>, depth: number): void {
  if (depth > 4 || identifiers.size >= MOST_SHOWN) return;
  if (Array.isArray(value)) for (const item of value) showIds(item, identifiers, depth + 1);
  else if (isRecord(value))
    for (const [name, member] of Object.entries(value)) {
      const isId = typeof member === 'string' && (IDENTITY.test(name) || SLUG.test(member));
      if (isId && member.length <= 200) identifiers.add(member);
      else showIds(member, identifiers, depth + 1);
    }
}

function shapeOf(values: ValueTally | undefined): string {
  if (!values) return '';
  const { object, items } = values;
  if (object && !object.rest) return `{${[...object.members.keys()].sort().join()}}`;
  return items ? `[${shapeOf(items)}]` : '';
}

function mergeOperations(into: OperationTally, from: OperationTally): void {
  into.seen += from.seen;
  for (const kind of ['accepted', 'refused'] as const) {
    mergeMessages(into[kind], from[kind]);
    mergeNamed(into[kind].query, from[kind].query);
    for (const [key, set] of from[kind].credentials)
      entryAt(into[kind].credentials, key, () => ({ ...set, seen: 0 })).seen += set.seen;
  }
  for (const [status, message] of from.responses)
    mergeMessages(entryAt(into.responses, status, createMessage), message);
}

function mergeMessages(into: MessageTally, from: MessageTally): void {
  into.seen += from.seen;
  mergeNamed(into.headers, from.headers);
  for (const [type, content] of from.content) {
    const target = entryAt(into.content, type, createContent);
    target.seen += content.seen;
    target.example ??= content.example;
    if (content.values) {
      target.values ??= createTally();
      mergeValues(target.values, content.values);
    }
    if (content.fields) {
      target.fields ??= new Map();
      mergeNamed(target.fields, content.fields);
    }
  }
}

function mergeNamed(into: Map<string, NamedTally>, from: ReadonlyMap<string, NamedTally>): void {
  for (const [name, tally] of from) {
    const target = entryAt(into, name, createNamed);
    target.seen += tally.seen;
    target.isRepeated ||= tally.isRepeated;
    target.isFile ||= tally.isFile;
    mergeTexts(target.texts, tally.texts);
  }
}

/** The requests to learn from: accepted ones, if there are any. */
export function learnedRequest({ accepted, refused }: OperationTally): RequestTally {
  return accepted.seen > 0 ? accepted : refused;
}

/** A record in a request or response, and what is learned of its values. */
interface Seen {
  readonly value: unknown;
  readonly tally: ValueTally | undefined;
}

/**
 * Notes sent members that the service did not store: those with another value in the response are set by the service, and
 * missing ones are write-only.
 */
function noteUnkept(sent: Seen, received: Seen): void {
  if (!isRecord(sent.value) || !isRecord(received.value)) return;
  // A response without any sent member is about something else, such as a token or a count.
  const all = received.value;
  if (!Object.keys(sent.value).some((name) => Object.hasOwn(all, name))) return;
  for (const [name, value] of Object.entries(sent.value)) {
    const tally = sent.tally?.object?.members.get(name);
    const other = { value: all[name], tally: received.tally?.object?.members.get(name) };
    if (!tally) continue;
    if (!Object.hasOwn(all, name)) tally.isLost ||= value !== null;
    else if (isRecord(value) && isRecord(other.value)) noteUnkept({ value, tally }, other);
    else if (!isSame(value, other.value)) {
      tally.isIgnored = true;
      if (other.tally) other.tally.isSet = true;
    }
  }
}

/** Equal values may be written differently: an instant in another zone, an address in capitals. */
function isSame(sent: unknown, received: unknown): boolean {
  if (isEqual(sent, received)) return true;
  if (typeof sent !== 'string' || typeof received !== 'string') return false;
  const plain = (text: string) => text.trim().normalize('NFC').toLowerCase().replace(/\/$/, '');
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(sent) && /^\d{4}-\d\d-\d\dT/.test(received);
  return plain(sent) === plain(received) || (isInstant && Date.parse(sent) === Date.parse(received));
}
