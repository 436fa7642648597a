import {
  type Contract,
  type DocumentedResponse,
  errorRoles,
  essenceOf,
  explicitStatuses,
  isRecord,
  type MediaType,
  mediaTypeFor,
  type Operation,
  placeOf,
  responseFor,
  type Spot,
} from '#spec';
import type { Answer } from '../send/answer.ts';
import { headerOf } from '../send/wire.ts';
import type { Breach, Law } from './law.ts';
import { shorten, shortenText } from './shorten.ts';

/** What every answer of an operation owes, whatever it was asked: its status's documented type, schema and headers. */
export function judgeAnswer(contract: Contract, operation: Operation, answer: Answer): Breach[] {
  const response = responseFor(operation.responses, answer.status);
  if (!response) return [undocumented(operation, answer)];
  return [
    ...judgeHeaders(contract, response, answer),
    ...(response.content.length > 0 ? judgeBody(contract, response, answer) : []),
  ];
}

function undocumented(operation: Operation, answer: Answer): Breach {
  return {
    law: 'status',
    received: describeStatus(answer),
    documented: `one of ${operation.responses.map(({ key }) => key).join(', ')}`,
    at: placeOf(operation.spot),
  };
}

/** That the answer bears the one status that the request must have. */
export function judgeStatus(
  operation: Operation,
  answer: Answer,
  wanted: number,
  law: Law = 'status',
): Breach[] {
  if (answer.status === wanted) return [];
  const spot = responseFor(operation.responses, wanted)?.spot ?? operation.spot;
  return [{ law, received: describeStatus(answer), documented: `${wanted}`, at: placeOf(spot) }];
}

/** That a refusal is some 4xx with the documented error body, where no single status is promised. */
export function judgeRefusal(contract: Contract, operation: Operation, answer: Answer, law: Law): Breach[] {
  if (answer.status >= 400 && answer.status < 500) return judgeAnswer(contract, operation, answer);
  const documented = explicitStatuses(operation.responses).filter((status) => status >= 400 && status < 500);
  const wanted = `a 4xx${documented.length > 0 ? ` such as ${documented.join(', ')}` : ''}`;
  return [{ law, received: describeStatus(answer), documented: wanted, at: placeOf(operation.spot) }];
}

export function describeStatus(answer: Answer): string {
  const location = headerOf(answer, 'location');
  const body = answer.text ? `: ${shortenText(answer.text)}` : '';
  return `${answer.status}${location ? ` to ${location}` : ''}${body}`;
}

function judgeHeaders(contract: Contract, response: DocumentedResponse, answer: Answer): Breach[] {
  return response.headers.flatMap((header): Breach[] => {
    const value = headerOf(answer, header.name);
    if (value === undefined) {
      return header.required
        ? [
            {
              law: 'header',
              received: `no header ${header.name}`,
              documented: `the header ${header.name}`,
              at: placeOf(header.spot),
            },
          ]
        : [];
    }
    const validate = header.schema && contract.validators.compile(header.schema, 'response');
    // A header is text: it fits when it fits as text or as the number that it may stand for.
    const readings = [value, ...(/^-?\d+(\.\d+)?$/.test(value) ? [Number(value)] : [])];
    const broken = readings.map((reading) => validate?.(reading) ?? []);
    if (broken.some((violations) => violations.length === 0)) return [];
    const [first] = broken[0] ?? [];
    return [
      {
        law: 'header',
        received: `${header.name}: ${value}`,
        documented: first?.expected ?? '',
        at: first?.at ?? placeOf(header.spot),
      },
    ];
  });
}

function judgeBody(contract: Contract, response: DocumentedResponse, answer: Answer): Breach[] {
  const breach = (law: Law, received: string, documented: string, spot: Spot): Breach[] => [
    { law, received, documented, at: placeOf(spot) },
  ];
  const types = response.content.map(({ type }) => type).join(' or ');
  if (answer.contentType === undefined)
    return breach('content-type', 'no Content-Type', types, response.spot);
  const media = mediaTypeFor(response.content, answer.contentType);
  if (!media)
    return breach(
      'content-type',
      `${answer.contentType}: ${shortenText(answer.text ?? '')}`,
      types,
      response.spot,
    );
  if (answer.encodingProblem)
    return breach('encoding', answer.encodingProblem, 'a body as its headers describe it', media.spot);
  if (!media.isJson) return [];
  if (answer.text?.startsWith('\uFEFF')) {
    return breach(
      'whole-json',
      'a byte-order mark before the JSON',
      'JSON without one (RFC 8259 §8.1)',
      media.spot,
    );
  }
  if ('error' in answer.json) {
    return breach(
      'whole-json',
      `${answer.json.error}: ${shortenText(answer.text ?? '')}`,
      'whole JSON',
      media.spot,
    );
  }
  return [
    ...judgeSchema(contract, media, answer.json.value),
    ...judgeErrorStatus(media, answer.status, answer.json.value),
  ];
}

function judgeSchema(contract: Contract, media: MediaType, value: unknown): Breach[] {
  if (!media.schema) return [];
  return contract.validators
    .compile(
      media.schema,
      'response',
    )(value)
    .map((violation) => ({
      law: 'schema',
      received: `${violation.pointer || 'the body'} is ${shorten(violation.received)}`,
      documented: `${violation.pointer || 'the body'} ${violation.expected}`,
      at: violation.at,
      ...itemOn(violation.pointer, value),
    }));
}

/** The item of a list that a JSON Pointer (RFC 6901) leads through first. */
function itemOn(pointer: string, body: unknown): { about?: unknown[] } {
  let here = body;
  for (const token of pointer.split('/').slice(1)) {
    if (Array.isArray(here)) return { about: [here[Number(token)]] };
    if (!isRecord(here)) break;
    here = here[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return {};
}

/** RFC 9457 §3.1.3, and the service documents that say so of their own error body. */
function judgeErrorStatus({ shape, spot }: MediaType, status: number, value: unknown): Breach[] {
  const member = status >= 400 && shape ? errorRoles(shape).status : undefined;
  if (
    !shape ||
    member === undefined ||
    !isRecord(value) ||
    value[member] === undefined ||
    value[member] === status
  )
    return [];
  // Where the schema pins the status, the schema law has said so already.
  if (shape.properties.get(member)?.values) return [];
  const at = placeOf(shape.properties.get(member)?.spot ?? spot);
  return [
    {
      law: 'error-status',
      received: `${member} ${shorten(value[member])} in a ${status}`,
      documented: `${member} repeats the HTTP status`,
      at,
    },
  ];
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** The JSON value of an answer that is JSON by type and whole. */
export function jsonOf(answer: Answer): unknown {
  return 'value' in answer.json ? answer.json.value : undefined;
}

/**
 * An answer that is the service's own word: documented for the operation, and JSON by its type or by its text.
 * A broken body or a wrong type is a promise broken, where a stranger's page would be no answer at all.
 */
export function isUsable(operation: Operation, answer: Answer): boolean {
  const response = responseFor(operation.responses, answer.status);
  if (!response || !explicitStatuses(operation.responses).includes(answer.status)) return false;
  if (response.content.length === 0 || 'value' in answer.json) return true;
  return response.content.some(({ type }) => essenceOf(type) === essenceOf(answer.contentType ?? ''));
}
