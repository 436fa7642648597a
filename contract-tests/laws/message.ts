import {
  type DocumentedResponse,
  decodeHeader,
  decodeText,
  errorRoles,
  essenceOf,
  type Header,
  hasNoContent,
  isRecord,
  type MediaType,
  mediaTypeFor,
  type Operation,
  oncePer,
  type Place,
  pathText,
  placeOf,
  pointerText,
  pointerTokens,
  type Shape,
  type Spot,
  type StreamFormat,
  shortenText,
  streamFormatOf,
  toPointer,
} from '#spec';
import { compileMessageCheck, isSentinel, readStream } from '#stream-messages';
import { discriminatedValues } from '#test-values';
import { headerValues } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import { type Evidence, jsonShape } from './evidence.ts';
import type { Broken, Judge } from './law.ts';
import { leavesStatusOpen } from './operation-role.ts';
import { isMask } from './same-value.ts';

/** A write-only member, and its path in values; null stands for the items of a list. */
interface WriteOnly {
  readonly path: readonly (string | null)[];
  readonly member: Shape;
}

/** A write-only member is not in a response (OpenAPI 3.0 §4.7.24, JSON Schema validation §9.4). */
export const writeOnlyHidden: Judge = ({ json, documented }) => {
  const shape = jsonShape(documented);
  const members = shape && json !== undefined ? writeOnlyOf(shape) : [];
  if (members.length === 0) return undefined;
  return members.flatMap(({ path, member }): Broken | [] => {
    const leak = valuesAt(json, path).find(({ value }) => isTold(value));
    if (!leak) return [];
    const { pointer } = leak;
    return {
      // The value itself is often a secret.
      received: `a value of ${pathText(pointer)}`,
      documented: `${pointer.at(-1)} is write-only`,
      at: placeOf(member.find('writeOnly')?.spot ?? member.spot),
      part: toPointer(pointer),
    };
  });
};

/** Whether a value reveals something: a mask or an empty text does not. */
function isTold(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !isMask(value);
  return value !== undefined && value !== null;
}

/** The write-only members that every value of the schema has: those of single alternatives are left out. */
const writeOnlyOf = oncePer((shape: Shape): readonly WriteOnly[] => [...membersOf(shape, [], new Set())]);

function* membersOf(
  shape: Shape,
  path: WriteOnly['path'],
  above: ReadonlySet<unknown>,
): Generator<WriteOnly> {
  const schema = shape.spot.value;
  if (above.has(schema)) return;
  const within = new Set([...above, schema]);
  for (const [name, member] of shape.properties) {
    if (member.writeOnly) yield { path: [...path, name], member };
    else yield* membersOf(member, [...path, name], within);
  }
  if (shape.items) yield* membersOf(shape.items, [...path, null], within);
}

interface Value {
  readonly pointer: readonly string[];
  readonly value: unknown;
}

function valuesAt(value: unknown, path: WriteOnly['path'], pointer: readonly string[] = []): Value[] {
  const [step, ...rest] = path;
  if (step === undefined) return [{ pointer, value }];
  if (step === null)
    return Array.isArray(value)
      ? value.flatMap((item, index) => valuesAt(item, rest, [...pointer, String(index)]))
      : [];
  return isRecord(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest, [...pointer, step]) : [];
}

/** Whether a response has a documented body; to HEAD it has none and need not state its type (RFC 9110 §9.3.2). */
function hasDocumentedBody({ documented, operation, response }: Evidence): boolean {
  if (operation.method === 'HEAD' || hasNoContent(response.status)) return false;
  return (documented?.content.length ?? 0) > 0 && !isOfOtherOutcome(operation, documented, response);
}

/**
 * Where `default` covers both success and errors, its schema describes one of them, and hardly ever both: its members tell
 * which.
 */
function isOfOtherOutcome(
  operation: Operation,
  documented: DocumentedResponse | undefined,
  { status }: Evidence['response'],
): boolean {
  if (documented?.key !== 'default' || !leavesStatusOpen(operation)) return false;
  const shape = jsonShape(documented);
  const { message, code, status: repeated } = shape ? errorRoles(shape) : {};
  const isError = message !== undefined && (code ?? repeated) !== undefined;
  return isError ? status < 400 : status >= 400 && operation.responses.length === 1;
}

/** The documented media type of the body; undefined: none is documented for the status. */
function documentedBody(evidence: Evidence): MediaType | undefined {
  const { documented, response } = evidence;
  return documented && response.contentType !== undefined && hasDocumentedBody(evidence)
    ? mediaTypeFor(documented.content, response.contentType)
    : undefined;
}

/** The documented JSON body of a response, if its bytes can be decoded. */
function documentedJson(evidence: Evidence): MediaType | undefined {
  const media = documentedBody(evidence);
  return media?.isJson && !evidence.response.encodingProblem ? media : undefined;
}

export const contentType: Judge = (evidence) => {
  const { documented, response } = evidence;
  if (!documented || !hasDocumentedBody(evidence)) return undefined;
  if (documentedBody(evidence)) return [];
  const { contentType: type, text = '' } = response;
  return {
    kind: type === undefined ? 'missing' : 'unequal',
    received: type === undefined ? 'no Content-Type' : `${type}: ${shortenText(text)}`,
    documented: documented.content.map(({ type }) => type).join(' or '),
    at: placeOf(documented.spot),
  };
};

export const encoding: Judge = (evidence) => {
  const media = documentedBody(evidence);
  const { encodingProblem: received } = evidence.response;
  if (!media) return undefined;
  return received
    ? { received, documented: 'a body as its headers describe it', at: placeOf(media.spot) }
    : [];
};

export const wholeJson: Judge = (evidence) => {
  const media = documentedJson(evidence);
  if (!media) return undefined;
  const { text = '', json } = evidence.response;
  const at = placeOf(media.spot);
  if (text.startsWith('\uFEFF'))
    return {
      received: 'a byte-order mark before the JSON',
      documented: 'JSON without one (RFC 8259 §8.1)',
      at,
    };
  return 'error' in json
    ? { received: `${json.error}: ${shortenText(text)}`, documented: 'well-formed JSON', at }
    : [];
};

export const wholeXml: Judge = (evidence) => {
  const { text = '', xml } = evidence.response;
  const media = xml && documentedBody(evidence);
  if (!media) return undefined;
  const documented = 'XML as its schema describes it';
  return 'error' in xml
    ? { received: `${xml.error}: ${shortenText(text)}`, documented, at: placeOf(media.spot) }
    : [];
};

/** The schema of a body and its value: JSON, XML, or plain text with a scalar schema. */
function describedValue(evidence: Evidence): { schema: Spot; value: unknown } | undefined {
  const { response, json } = evidence;
  const media = documentedBody(evidence);
  if (!media?.schema || !media.shape || response.encodingProblem) return undefined;
  const { schema, shape } = media;
  if (media.isJson) return isWellFormed(evidence) ? { schema, value: json } : undefined;
  if (response.xml) return 'value' in response.xml ? { schema, value: json } : undefined;
  const isText = essenceOf(media.type) === 'text/plain' && SCALARS.has(shape.mainType ?? '');
  return isText && response.text !== undefined
    ? { schema, value: decodeText(response.text, shape) }
    : undefined;
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean']);

export const schema: Judge = (evidence) => {
  const described = describedValue(evidence);
  if (!described) return undefined;
  const { value } = described;
  const validate = evidence.contract.validators.compile(described.schema, 'response');
  return validate(value).map(({ pointer, received, expected, keyword, at }) => ({
    kind: { keyword },
    received: `${pointerText(pointer)} is ${shorten(received)}`,
    documented: `${pointerText(pointer)} ${expected}`,
    at,
    part: pointer,
    ...itemAt(pointer, value),
  }));
};

function isWellFormed({ response }: Evidence): boolean {
  return 'value' in response.json && !response.text?.startsWith('\uFEFF');
}

/** The first list item on the path of a JSON Pointer (RFC 6901). */
function itemAt(pointer: string, body: unknown): { about?: unknown[] } {
  let here = body;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(here)) return { about: [here[Number(token)]] };
    if (!isRecord(here)) break;
    here = here[token];
  }
  return {};
}

/** These headers depend on how a message is sent, and Content-Type has a rule of its own. */
const FRAMING = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'transfer-encoding',
]);

export const header: Judge = ({ contract, documented, response, exchange }) => {
  if (!documented || documented.headers.length === 0) return undefined;
  return documented.headers.flatMap((described): Broken | [] => {
    const { name, required, schema: valueSchema, spot } = described;
    const lines = headerValues(response, name);
    if (lines.length === 0) {
      const isMissing = required && !FRAMING.has(name);
      const [received, wanted] = [`no header ${name}`, `the header ${name}`];
      return isMissing ? { kind: 'missing', received, documented: wanted, at: placeOf(spot) } : [];
    }
    const readings = readingsOf(described, lines, exchange.request.url);
    const validate = valueSchema && contract.validators.compile(valueSchema, 'response');
    const broken = readings.map((reading) => validate?.(reading) ?? []);
    if (broken.length === 0 || broken.some((violations) => violations.length === 0)) return [];
    const [first] = broken.at(-1) ?? [];
    return {
      kind: first ? { keyword: first.keyword } : 'unequal',
      received: `${name}: ${lines.join(', ')}`,
      documented: first ? `${pointerText(first.pointer, '')} ${first.expected}`.trimStart() : '',
      at: first?.at ?? placeOf(spot),
    };
  });
};

/** The possible values of a header's lines, the documented reading last; empty: there is no certain one. */
function readingsOf(header: Header, lines: readonly string[], requested: URL): unknown[] {
  const documented = decodeHeader(header, lines);
  if (!documented) return [];
  const { name, content } = header;
  const value = lines.join(', ');
  // Cookies do not form a list (RFC 9110 §5.3), and others than the service may set some.
  const each = name === 'set-cookie' ? lines : [];
  const loose = content ? [] : [scalarOf(value), value.split(',').map((item) => scalarOf(item.trim()))];
  return [...resolved(name, value, requested), ...each, ...loose, ...documented];
}

/** These are references relative to the request URL (RFC 9110 §10.2.2, §8.7), even where the document says URL. */
function resolved(name: string, value: string, requested: URL): string[] {
  if (name !== 'location' && name !== 'content-location') return [];
  const url = URL.parse(value, requested.href);
  return url ? [url.href] : [];
}

function scalarOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The status in an error body equals that of the response: RFC 9457 §3.1.3, and documents that define such a member. */
export const errorStatus: Judge = (evidence) => {
  const { json, response } = evidence;
  const name = response.status >= 400 && isWellFormed(evidence) ? statusMember(evidence) : undefined;
  const member = name === undefined ? undefined : documentedJson(evidence)?.shape?.properties.get(name);
  if (name === undefined || !member) return undefined;
  if (!isRecord(json) || json[name] === undefined || json[name] === response.status) return [];
  return {
    received: `${name} ${shorten(json[name])} in a ${response.status}`,
    documented: `${name} repeats the HTTP status`,
    at: placeOf(member.spot),
  };
};

/** The member of an error body that repeats the status; where its schema fixes the value, the schema rule judges it. */
function statusMember(evidence: Evidence): string | undefined {
  const shape = documentedJson(evidence)?.shape;
  const name = shape && errorRoles(shape).status;
  return name === undefined || shape?.properties.get(name)?.values ? undefined : name;
}

/**
 * The value matches the schema that its discriminator names (OpenAPI 3.1 §4.8.25). JSON Schema ignores the keyword: any
 * branch of `oneOf` will do. Where none matches, the schema rule reports it.
 */
export const discriminator: Judge = (evidence) => {
  const { contract, json, page } = evidence;
  const { shape, schema } = documentedJson(evidence) ?? {};
  if (!shape || !schema || !isWellFormed(evidence)) return undefined;
  const violationsOf = (spot: Spot, value: unknown) => contract.validators.compile(spot, 'response')(value);
  const breaches = [...discriminatedValues(shape, json)].flatMap(({ pointer, value, property, branch }) =>
    violationsOf(branch, value).map((violation): Broken => {
      const name = pointerText(pointer + violation.pointer);
      return {
        kind: { keyword: violation.keyword },
        received: `${name} is ${shorten(violation.received)}`,
        documented: `${name} ${violation.expected}, since ${property} is ${shorten(value[property])}`,
        at: violation.at,
        part: pointer + violation.pointer,
        ...(page && { about: [value] }),
      };
    }),
  );
  return breaches.length > 0 && violationsOf(schema, json).length === 0 ? breaches : [];
};

interface DocumentedStream {
  readonly media: MediaType;
  readonly format: StreamFormat;
}

function streamOf(evidence: Evidence): DocumentedStream | undefined {
  const { response } = evidence;
  const format = streamFormatOf(response.contentType ?? '');
  const media = format && documentedBody(evidence);
  return media && response.text !== undefined ? { media, format } : undefined;
}

/** Every message of a stream is judged; whether it sends none, ends or goes on, breaks nothing. */
export const streamMessage: Judge = (evidence) => {
  const stream = streamOf(evidence);
  if (!stream) return undefined;
  const { media, format } = stream;
  const { text = '', left, cut } = evidence.response;
  const { messages, problems } = readStream(format, text, !left && !cut);
  const check = checkOf(media, evidence.contract.validators);
  const breaches = new Map<string, Broken>();
  for (const [index, message] of messages.entries()) {
    if (index === messages.length - 1 && isSentinel(message)) continue;
    for (const { pointer, keyword, expected, received, at } of check(message)) {
      const name = pointerText(pointer, 'the message');
      const breach: Broken = {
        kind: { keyword },
        received: `message ${index + 1}: ${name} is ${shorten(received)}`,
        documented: `${name} ${expected}`,
        at,
        part: pointer,
      };
      const key = `${keyword} ${keyOf(at)}`;
      // One place of the document is reported once, however many messages violate it.
      if (!breaches.has(key)) breaches.set(key, breach);
    }
  }
  const [problem] = problems;
  const documented = `messages as ${media.type} has them`;
  const malformed = { kind: 'unequal', documented, at: placeOf(media.spot) } as const;
  return [...breaches.values(), ...(problem === undefined ? [] : [{ ...malformed, received: problem }])];
};

const keyOf = ({ uri, line, column }: Place) => `${uri}:${line}:${column}`;

const checkOf = oncePer(compileMessageCheck);
