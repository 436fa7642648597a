import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Fields } from '#forwarder';
import type { HarFile, HarSlot } from '#har';
import {
  type Contract,
  isNumber,
  isSecretHeader,
  isSecretName,
  type Mask,
  type MediaType,
  maskHeader,
  maskText,
  maskUrl,
  mediaTypeFor,
  memberShape,
  responseFor,
  roughlyFits,
  type Shape,
  sample,
  secretsIn,
} from '#spec';
import { decodeResponse, MASK } from '#target';
import type { Recording } from './judging/recording.ts';

/** Writes exchanges into HARs while they pass, without secrets and masked values. */
export interface HarRecorder {
  begun(recording: Recording): void;
  ended(recording: Recording): void;
}

/** Exchanges that a HAR cannot represent. */
const LEFT_OUT = new Set<Recording['unjudged']>(['upgraded', 'refused']);
/** Exchanges without a complete response. */
const WITHOUT_RESPONSE = new Set<Recording['unjudged']>(['abandoned', 'failed']);
/** Exchanges whose bodies were not kept. */
const WITHOUT_BODIES = new Set<Recording['unjudged']>(['tooLong', 'overtaken']);

export function createHarRecorder(files: readonly HarFile[], contract: Contract, mask: Mask): HarRecorder {
  const slots = new WeakMap<Recording, readonly HarSlot[]>();
  const write = compileEntry(contract, mask);
  return {
    begun(recording) {
      slots.set(
        recording,
        files.map((file) => file.begin()),
      );
    },
    ended(recording) {
      const fileSlots = slots.get(recording) ?? [];
      const entry = LEFT_OUT.has(recording.unjudged) ? undefined : JSON.stringify(write(recording));
      for (const slot of fileSlots)
        if (entry === undefined) slot.leave();
        else slot.fill(entry);
    },
  };
}

/** HAR 1.2 for unknown values. */
const UNKNOWN = -1;
const HTTP_VERSION = 'HTTP/1.1';

function compileEntry({ operations }: Contract, mask: Mask) {
  const named = new Set(
    operations.flatMap(({ security }) => security.flat().map(({ name }) => name.toLowerCase())),
  );
  const isHidden = (name: string) => named.has(name.toLowerCase()) || isSecretName(name) || mask.hides(name);
  const maskOf = createNumberedMasks();

  return (recording: Recording) => {
    const { head, origin, operation, response, unjudged, startedAt, ms } = recording;
    const hasBodies = !WITHOUT_BODIES.has(unjudged);
    const secrets = secretsOf([...head.fields, ...(response?.fields ?? [])]);
    const clean = (text: string) => secrets.reduce((result, secret) => result.replaceAll(secret, MASK), text);
    // A body with masks has another length, and must not look incomplete.
    const headersOf = (fields: Fields, length?: number) =>
      fields.map(([name, value]) => {
        const isLength = /^content-length$/i.test(name) && length !== undefined;
        return { name, value: isLength ? String(length) : clean(headerValue(name, value)) };
      });
    const mediaOf = (content: readonly MediaType[] | undefined, type: string) =>
      mediaTypeFor(content ?? [], type)?.shape;

    function headerValue(name: string, value: string): string {
      // This keeps the scheme of credentials, and the names of cookies.
      if (isSecretHeader(name)) return maskHeader(name, value, maskOf(value));
      return isHidden(name) ? maskOf(value) : maskHeader(name, value, MASK, isHidden);
    }

    function requestContent() {
      const size = recording.requestLength;
      const bytes = hasBodies ? Buffer.from(recording.requestBody ?? []) : undefined;
      const type = fieldOf(head.fields, 'content-type');
      if (size === 0) return { bodySize: 0 };
      const isCoded = !/^(?:identity)?$/i.test(fieldOf(head.fields, 'content-encoding').trim());
      if (!bytes || isCoded) return { bodySize: size, comment: 'the body was not kept' };
      const content = isUtf8(bytes)
        ? { text: clean(masked(bytes.toString(), type, mediaOf(operation?.body?.content, type))) }
        : { text: bytes.toString('base64'), encoding: 'base64' };
      const bodySize = content.encoding ? size : Buffer.byteLength(content.text);
      return { bodySize, postData: { mimeType: type, ...content } };
    }

    function responseContent() {
      if (!response) return { size: 0, mimeType: '' };
      const mimeType = fieldOf(response.fields, 'content-type');
      const size = recording.responseLength;
      if (!hasBodies) return { size, mimeType, comment: 'the body was not kept' };
      const { responseBody: body, left } = recording;
      const { status, fields: headers } = response;
      const decoded = decodeResponse({ status, headers, body, cut: false, ms });
      if (decoded.text !== undefined) {
        const media = mediaOf(
          operation && responseFor(operation.responses, response.status)?.content,
          mimeType,
        );
        const text = clean(masked(decoded.text, mimeType, media));
        // Only a part of a continuing stream is recorded.
        return {
          size: left ? Math.max(size, Buffer.byteLength(text) + 1) : Buffer.byteLength(text),
          mimeType,
          text,
        };
      }
      if (isText(mimeType)) return { size, mimeType, comment: 'the body cannot be read, and so not masked' };
      return { size: body.length, mimeType, text: body.toString('base64'), encoding: 'base64' };
    }

    function masked(text: string, type: string, shape: Shape | undefined): string {
      const replace = (value: unknown, steps: readonly string[]) => maskValue(value, steps, shape);
      return maskText(text, type, { mask: { hides: isHidden, paths: mask.paths }, replace });
    }

    const url = maskUrl(origin + head.target, encodeURIComponent(MASK), isHidden);
    const isMissing = response === undefined || WITHOUT_RESPONSE.has(unjudged);
    const { bodySize, ...posted } = requestContent();
    return {
      startedDateTime: new Date(startedAt).toISOString(),
      time: Math.round(ms * 1000) / 1000,
      request: {
        method: head.method,
        url: clean(url),
        httpVersion: HTTP_VERSION,
        cookies: [],
        headers: headersOf(head.fields, 'postData' in posted ? bodySize : undefined),
        queryString: [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({
          name,
          value: clean(value),
        })),
        ...posted,
        headersSize: UNKNOWN,
        bodySize,
      },
      response: {
        status: isMissing ? 0 : response.status,
        statusText: isMissing ? '' : (STATUS_CODES[response.status] ?? ''),
        httpVersion: HTTP_VERSION,
        cookies: [],
        headers: isMissing ? [] : headersOf(response.fields),
        content: isMissing ? { size: 0, mimeType: '' } : responseContent(),
        redirectURL: isMissing ? '' : clean(headerValue('location', fieldOf(response.fields, 'location'))),
        headersSize: UNKNOWN,
        bodySize: isMissing ? UNKNOWN : recording.responseLength,
      },
      cache: {},
      timings: { send: 0, wait: Math.round(ms * 1000) / 1000, receive: 0 },
    };
  };
}

function fieldOf(fields: Fields, wanted: string): string {
  return fields.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

const isText = (type: string) => /^text\/|json|xml|urlencoded/i.test(type);

/**
 * Replaces a value by a mask: one that the schema allows if it allows the value, so that judging the recording gives the
 * same findings. `steps` are the names of the members on the path; lists have none.
 */
function maskValue(value: unknown, steps: readonly string[], shape: Shape | undefined): unknown {
  if (value === null) return null;
  const form = steps.reduce<Shape | undefined>((at, name) => at && memberShape(itemOf(at), name), shape);
  const place = form && itemOf(form);
  const plain =
    typeof value === 'string' ? MASK : isNumber(value) ? 0 : typeof value === 'boolean' ? false : MASK;
  if (!place || !roughlyFits(place, value) || roughlyFits(place, plain)) return plain;
  const made = sample(place, { key: 'mask', name: steps.at(-1) ?? '' });
  return roughlyFits(place, made) ? made : plain;
}

function itemOf(shape: Shape): Shape {
  return shape.mainType === 'array' && shape.items ? itemOf(shape.items) : shape;
}

/** Shorter ones occur in ordinary words. */
const SHORTEST = 4;

/** The credentials of an exchange, which either side may repeat elsewhere. */
function secretsOf(fields: Fields): string[] {
  const secrets = fields.flatMap(([name, value]) => (isSecretHeader(name) ? secretsIn(name, value) : []));
  return [...new Set(secrets)]
    .filter(({ length }) => length >= SHORTEST)
    .sort((left, right) => right.length - left.length);
}

/** The maximum number of distinguished secrets. */
const MOST_SECRETS = 10_000;

/**
 * Creates a numbered mask for each secret, so that judging the recording can distinguish clients by their credentials. The
 * secrets themselves are not kept.
 */
function createNumberedMasks(): (secret: string) => string {
  const numbers = new Map<string, number>();
  return (secret) => {
    const digest = createHash('sha256').update(secret).digest('base64');
    const number = numbers.get(digest) ?? numbers.size + 1;
    if (numbers.size < MOST_SECRETS) numbers.set(digest, number);
    return number === 1 ? MASK : `${MASK}${number}`;
  };
}
