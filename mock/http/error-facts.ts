import { pointerTokens, randomOf } from '#spec';
import type { Detail, MockRequest } from './exchange.ts';
import { REASON_PHRASES } from './reason-phrases.ts';

/** What an error body states. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Detail[];
  /** Whether the media type is that of RFC 9457. */
  readonly isProblem: boolean;
  /** What the refused request is about, such as the name of its body's schema. */
  readonly subject: string;
  /** Undefined: nobody knows. */
  readonly request: MockRequest | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Of the refusal, counted from 1. */
  readonly number: number;
}

/** Where in a request something is wrong. */
export interface Location {
  /** `body`, `query`, `path`, `header` or `cookie`; else the name of a header. */
  readonly place: string;
  /** The parameter and what is inside of it, or what is inside of the body. */
  readonly steps: readonly (string | number)[];
}

export const phraseOf = ({ status }: ErrorFacts): string => REASON_PHRASES[status] ?? 'Error';

/** Indices are numbers: a member whose name is one is rare. */
export function locationOf({ where, broken }: Detail): Location {
  if (broken) {
    const steps = pointerTokens(broken.pointer);
    return { place: broken.in, steps: [...(broken.name ? [broken.name] : []), ...steps].map(asIndex) };
  }
  const [place = '', ...steps] = where.split('.');
  return { place, steps: steps.map(asIndex) };
}

const asIndex = (step: string) => (/^\d+$/.test(step) ? Number(step) : step);

/** The member or the parameter as clients have it: `address.street`, `items.0.name`; `body` for the whole. */
export function memberPath(detail: Detail): string {
  const { place, steps } = locationOf(detail);
  return steps.length === 0 ? place : steps.join('.');
}

/** `name is required` */
export const sentenceOf = (detail: Detail): string => `${memberPath(detail)} ${detail.message}`;

/** Path and query as sent, with what no URI may have percent-encoded. */
export function targetOf({ request }: ErrorFacts, withQuery: boolean): string {
  if (!request) return '/';
  const { prefix = '', path, query } = request;
  const target = prefix + path + (withQuery && query !== '' ? `?${query}` : '');
  return target.replace(/[^\w\-.~!$&'()*+,;=:@%/?]/gu, encodeURIComponent);
}

export function originOf({ request }: ErrorFacts): string {
  return request?.origin ?? `http://${String(request?.headers.host ?? 'localhost')}`;
}

/** The id that the client gave its request, else one of its own. */
export function requestIds(facts: ErrorFacts): string[] {
  const { request, number } = facts;
  const given = ['x-request-id', 'x-correlation-id'].flatMap((name) => request?.headers[name] ?? []);
  const random = randomOf(`request ${request?.method} ${targetOf(facts, true)} ${number}`);
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  return [...given.slice(0, 1), uuid, hex, hex.slice(0, 16), hex.slice(0, 8)];
}

/** The moment in the forms that services write, the usual one first. */
export function momentTexts({ now }: ErrorFacts): string[] {
  const iso = new Date(now).toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  const [year, month, date] = day.split('-');
  return [
    iso,
    `${day}T${time}Z`,
    `${iso.slice(0, -1)}+00:00`,
    `${day}T${time}+00:00`,
    `${iso.slice(0, -1)}+0000`,
    `${iso.slice(0, -1)}000Z`,
    `${iso.slice(0, -1)}000`,
    iso.slice(0, -1),
    `${day}T${time}`,
    `${day} ${time}`,
    `${date}-${month}-${year} ${time}`,
    `${date}/${month}/${year} ${time}`,
    day,
    new Date(now).toUTCString(),
    String(now),
  ];
}
