import {
  bodyMedia,
  type Contract,
  decodeParameter,
  encodeBody,
  encodeParameter,
  formatOf,
  isRecord,
  isSecretHeader,
  type MediaType,
  mediaTypeFor,
  type Operation,
  type Parameter,
  percentDecode,
  queryPairs,
  sample,
  sentType,
} from '#spec';
import { listedResources } from '../arrange/lists.ts';
import { ordinaryInput } from '../arrange/requests.ts';
import { tryCreate } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { invalidStatus, roleOf, successStatuses } from '../laws/operation-role.ts';
import { NoInput } from '../run/not-reached.ts';
import { asInPath } from '../run/outgoing.ts';
import type { Trial } from '../run/trial.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { Data } from '../send/wire.ts';
import { type BrokenBody, breakAlike, brokenBodies } from './broken-bodies.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** A body that violates one keyword of its schema is rejected with the documented status. */
export const invalidBody: Family = function* (contract, settings) {
  for (const operation of contract.operations) {
    const media = bodyMedia(operation.body);
    if (!media) {
      if (operation.body?.required) yield otherType(operation);
      continue;
    }
    if (!media.isJson && (!media.shape || !media.schema)) continue;
    for (const broken of brokenBodies(contract, settings, operation))
      yield oneKeywordBroken(contract, operation, broken);
    // In other media types an empty body may be valid: a form without a field, an empty text.
    if (operation.body?.required && (media.isJson || isMultipart(media))) yield emptyBody(operation);
    for (const one of unreadable(operation, media)) yield unreadableBody(contract, operation, media, one);
  }
};

/** The cell for invalid input: the documented status. */
function refusalOf(operation: Operation): number {
  return invalidStatus(operation) ?? 400;
}

function oneKeywordBroken(contract: Contract, operation: Operation, broken: BrokenBody): Case {
  const what = broken.title.startsWith('without') ? broken.title : `with ${broken.title}`;
  const title = `a body ${what} is refused`;
  return makeCase({ operation, status: refusalOf(operation) }, slugOf(broken.title), title, async (trial) => {
    const role = roleOf(contract, operation);
    const change = (body: unknown) => breakAlike(broken, body as Data);
    const isWhole = !isRecord(broken.value);
    const whole = { body: broken.value };
    if (role?.action === 'create')
      await orElse(operation, isWhole ? whole : { change }, whole, (one) =>
        tryCreate(trial, role.resource, one),
      );
    else {
      const input = await orElse(operation, isWhole ? whole : {}, whole, (one) =>
        ordinaryInput(trial, operation, false, one),
      );
      await trial.send(operation, { ...input, body: isWhole ? input.body : change(input.body) });
    }
  });
}

/** Sends an invalid request in any case: where no valid body can be made, with a substitute. */
async function orElse<Way, T>(
  operation: Operation,
  way: Way,
  other: Way,
  work: (way: Way) => Promise<T>,
): Promise<T> {
  try {
    return await work(way);
  } catch (error) {
    if (error instanceof NoInput && error.bodyOf === operation) return work(other);
    throw error;
  }
}

function emptyBody(operation: Operation): Case {
  const cell = { operation, status: refusalOf(operation) };
  return makeCase(cell, 'empty-body', 'an empty body is refused', (trial) =>
    sendBytes(trial, operation, { rawBody: '' }),
  );
}

/** Without a writable body of a documented type, another type at least calls the operation. */
function otherType(operation: Operation): Case {
  const [slug, title, change] = asText('other-type');
  const drive = (trial: Trial) => sendBytes(trial, operation, change('paddock', ''));
  return makeCase({ operation, status: refusalOf(operation) }, slug, title, drive, { demands: false });
}

/** Sends bytes in place of a body. */
async function sendBytes(trial: Trial, operation: Operation, bytes: Partial<RequestInput>): Promise<void> {
  const { body: _, ...input } = await ordinaryInput(trial, operation, false, { body: {} });
  await trial.send(operation, { ...input, ...bytes });
}

function isMultipart(media: MediaType): boolean {
  return formatOf(sentType(media), media.shape) === 'multipart';
}

type Unreadable = [
  slug: string,
  title: string,
  change: (text: string, type: string) => Partial<RequestInput>,
];

/** Another media type proves little where any text is accepted. */
function unreadable({ body }: Operation, media: MediaType): readonly Unreadable[] {
  if (media.isJson) return UNREADABLE_JSON;
  const isForm = formatOf(sentType(media), media.shape) === 'form';
  const others = mediaTypeFor(body?.content ?? [], 'text/plain') ? [] : [asText('other-type')];
  return isForm ? others : isMultipart(media) ? [...UNREADABLE_PARTS, ...others] : [];
}

const asText = (slug: string): Unreadable => [
  slug,
  'a body of another media type is taken or refused',
  (text) => ({ rawBody: text, contentType: 'text/plain' }),
];

/** Texts that are not JSON: some 4xx, since the document does not state which. Another media type may be accepted. */
const UNREADABLE_JSON: readonly Unreadable[] = [
  ['broken-json', 'broken JSON is refused', (text) => ({ rawBody: text.slice(0, -1) })],
  ['more-than-json', 'JSON with a word behind it is refused', (text) => ({ rawBody: `${text} paddock` })],
  [
    'trailing-comma',
    'JSON with a comma too many is refused',
    (text) => ({ rawBody: text.replace(/}$/, ',}') }),
  ],
  asText('not-json'),
];

const UNREADABLE_PARTS: readonly Unreadable[] = [
  [
    'cut-parts',
    'parts without their end are refused',
    (text, contentType) => ({ rawBody: text.slice(0, Math.ceil(text.length / 2)), contentType }),
  ],
  [
    'other-boundary',
    'parts with another boundary than their type names are refused',
    (text, contentType) => ({ rawBody: text, contentType: `${contentType}-other` }),
  ],
];

function unreadableBody(
  contract: Contract,
  operation: Operation,
  media: MediaType,
  [slug, title, change]: Unreadable,
): Case {
  const drive = async (trial: Trial) => {
    const anyValue = media.shape && sample(media.shape, { key: operation.id });
    const made = await orElse(operation, {}, { body: anyValue ?? {} }, (one) =>
      ordinaryInput(trial, operation, false, one),
    );
    const { body, ...input } = asInPath(contract, operation, made);
    const { bytes, type } = encodeBody(media, body);
    const text = Buffer.from(bytes).toString();
    const { sound, response } = await trial.send(operation, { ...input, ...change(text, type) });
    const about = { question: 'a body that cannot be read', answer: `${response.status}` };
    if (sound) trial.leaveOpen(`${title}: ${describeStatus(response)}`, about);
  };
  // A body of another type may be accepted.
  const creates = 'contentType' in change('', '') && roleOf(contract, operation)?.action === 'create' ? 1 : 0;
  const cell = { operation, status: refusalOf(operation) };
  return makeCase(cell, slug, title, drive, { demands: false, creates });
}

/**
 * Invalid query values. They get the documented status for invalid input, unless the operation has a body that this status
 * may be about; otherwise the document leaves it open: some 4xx, or a success within every documented bound.
 */
export const invalidParameter: Family = (contract) => [
  ...contract.operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap((parameter) => [
        ...(parameter.required ? [oneWrong(operation, parameter, 'left out')] : []),
        ...wrongTexts(contract, parameter).map(([title, text]) =>
          oneWrong(operation, parameter, title, text),
        ),
      ]),
  ),
  ...contract.operations.flatMap((operation) =>
    operation.parameters
      .filter(({ name, required, ...one }) => one.in === 'header' && required && !isSecretHeader(name))
      .flatMap((parameter) => headerWrong(contract, operation, parameter)),
  ),
  ...invalidCursors(contract),
];

/** A required header that is missing, or violates its schema. */
function headerWrong(contract: Contract, operation: Operation, parameter: Parameter): Case[] {
  const { name } = parameter;
  const wrong = wrongTexts(contract, parameter).filter(([, text]) => text !== '');
  const rows: [string, Partial<RequestInput>][] = [
    ['left out', { leavesOut: name }],
    ...wrong.slice(0, 1).map(([title, text]): (typeof rows)[number] => [title, { headers: [[name, text]] }]),
  ];
  const creates = roleOf(contract, operation)?.action === 'create' ? 1 : 0;
  return rows.map(([how, wrong]) => {
    const [slug, title] = [`header-${slugOf(`${name} ${how}`)}`, `the header ${name} ${how} is refused`];
    const drive = async (trial: Trial) =>
      trial.send(operation, { ...(await ordinaryInput(trial, operation)), ...wrong });
    const cell = { operation, status: refusalOf(operation) };
    return makeCase(cell, slug, title, drive, { demands: false, creates });
  });
}

/** @param text undefined: the parameter is omitted */
function oneWrong(operation: Operation, parameter: Parameter, title: string, text?: string): Case {
  const promised = operation.body ? undefined : invalidStatus(operation);
  const status = promised ?? successStatuses(operation)[0] ?? 200;
  const slug = `${slugOf(parameter.name)}-${slugOf(title)}`;
  const value = text === undefined ? '' : ` (${text || 'empty'})`;
  const says = `${parameter.name} ${title}${value} is refused, or keeps the bounds`;
  return makeCase({ operation, status }, slug, says, async (trial) => {
    const input = await ordinaryInput(trial, operation);
    const wrong =
      text === undefined
        ? { leavesOut: parameter.name }
        : { query: { ...input.query, [parameter.name]: text } };
    const { sound, response } = await trial.send(operation, { ...input, ...wrong });
    const about = { question: `an invalid ${parameter.name}`, answer: `${response.status}` };
    if (promised === undefined && sound)
      trial.leaveOpen(`${parameter.name}=${text ?? ''}: ${describeStatus(response)}`, about);
  });
}

/** Texts that still violate the schema when they are parsed from the wire. */
function wrongTexts(contract: Contract, parameter: Parameter): [title: string, text: string][] {
  const { shape, schema } = parameter;
  if (!schema) return [];
  const validate = contract.validators.compile(schema, 'request');
  const { low, high } = shape.range;
  const candidates: [string, unknown][] = [
    ['that is a word', 'paddock'],
    ['that is empty', ''],
    ['that is no whole number', 1.5],
    ['below the least value', low && BigInt(Math.trunc(Number(low.value))) - 1n],
    ['above the greatest value', high && BigInt(Math.trunc(Number(high.value))) + 1n],
    ['far above any value', '99999999999999999999'],
    ['in another case', shape.values?.map((value) => String(value).toUpperCase())[0]],
  ];
  // The members of an object become separate parameters.
  if (queryPairs(parameter, {}).length === 0) return [];
  const texts = candidates
    .filter(([, value]) => value !== undefined)
    .map(([title, value]): [string, string] => [title, encodeParameter(parameter, value)[0] ?? '']);
  return texts
    .filter(([, text]) => text !== '' || !parameter.allowsEmpty)
    .filter(([, text]) => validate(decodeParameter(parameter, [text])).length > 0)
    .map(([title, text]) => [title, percentDecode(text)]);
}

const NO_CURSOR = 'paddock, no cursor';

/** A text that no service uses as a cursor, where `x-paddock` says that invalid ones are rejected. */
function invalidCursors(contract: Contract): Case[] {
  return listedResources(contract.resources).flatMap(({ operation, form: { cursor } }) => {
    if (!cursor?.schema || operation.said.facts.refuses?.['400'] !== 'cursor') return [];
    if (contract.validators.compile(cursor.schema, 'request')(NO_CURSOR).length > 0) return [];
    const says = `a ${cursor.name} that is none is refused`;
    return [
      makeCase({ operation, status: 400 }, `${slugOf(cursor.name)}-that-is-none`, says, async (trial) => {
        const input = await ordinaryInput(trial, operation);
        const query = { ...input.query, [cursor.name]: NO_CURSOR };
        await trial.send(operation, { ...input, query, expected: { status: 400, or4xx: true } });
      }),
    ];
  });
}
