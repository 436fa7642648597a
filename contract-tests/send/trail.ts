import { isRecord, type Operation, type Resource } from '#spec';
import type { RequestInput } from './plan-request.ts';
import { jsonOf, type Response } from './response.ts';
import { headerOf, type WireRequest } from './wire.ts';

/**
 * Where a response shows the id of a record: a path in JSON, the first XML attribute or element of a name, or the end of
 * its `Location`.
 */
export type IdPlace = readonly (string | number)[] | 'location' | { readonly xml: string };

/** The record that a request created. */
export interface Created {
  readonly resource: Resource;
  readonly id: unknown;
  /** Undefined: the response does not show it, since the client chose it. */
  readonly at: IdPlace | undefined;
}

interface Round {
  /** The length of the trail before it. */
  readonly start: number;
}

/** A sent request of a case, and its result. */
export interface SentStep {
  /** The order in which the requests of a run began. */
  readonly number: number;
  readonly operation: Operation;
  /** The input of the request. */
  readonly input: RequestInput;
  readonly request: WireRequest;
  /** Whether it was concurrent with adjacent steps that have this flag, too. */
  readonly amongOthers: boolean;
  /** The request whose response returned the entity tag of its condition. */
  readonly versionOf: SentStep | undefined;
  /** Requests of a round are compared with each other; undefined: it is part of none. */
  readonly round: Round | undefined;
  /** Undefined: it has no response yet. */
  status?: number;
  created?: Created;
}

/** The requests of a case in order, from which reproductions are taken. */
export class Trail {
  readonly #steps: SentStep[] = [];
  #round: Round | undefined;

  get steps(): readonly SentStep[] {
    return this.#steps;
  }

  begin(step: Omit<SentStep, 'round'>): SentStep {
    const begun = { ...step, round: this.#round };
    this.#steps.push(begun);
    return begun;
  }

  /** Removes a request whose outcome is unknown, or that is repeated. */
  drop(request: WireRequest): void {
    const index = this.#steps.findLastIndex((step) => step.request === request);
    if (index >= 0) this.#steps.splice(index, 1);
  }

  /** The next requests start from scratch. */
  restart(): void {
    this.#steps.length = 0;
  }

  /** Starts a round of requests that are compared with each other; a repeated one replaces its predecessor. */
  beginRound(): void {
    this.#round = { start: this.#steps.length };
  }

  repeatRound(): void {
    this.#steps.length = Math.min(this.#steps.length, this.#round?.start ?? this.#steps.length);
  }

  endRound(): void {
    this.#round = undefined;
  }

  /** Adds the requests of a part of the case. */
  take(part: Trail): void {
    const steps = new Set(this.#steps);
    this.#steps.push(...part.#steps.filter((step) => !steps.has(step)));
  }

  /** All requests up to one, with those that were concurrent with it; all, if it is not part of the trail. */
  upTo(request: WireRequest): readonly SentStep[] {
    const index = this.#steps.findLastIndex((step) => step.request === request);
    if (index < 0) return [...this.#steps];
    const isAmong = this.#steps[index]?.amongOthers;
    const next = this.#steps.findIndex(({ amongOthers }, at) => at > index && !(isAmong && amongOthers));
    return this.#steps.slice(0, next < 0 ? this.#steps.length : next);
  }
}

/** The requests that created the records of a run, in any case. */
export interface Origins {
  /** The number of the next request. */
  next(): number;
  note(step: SentStep): void;
  of(resource: Resource, id: unknown): SentStep | undefined;
}

export function createOrigins(): Origins {
  const steps = new Map<string, SentStep>();
  let number = 0;
  const keyOf = ({ path }: Resource, id: unknown) => `${path} ${id}`;
  return {
    next: () => ++number,
    note(step) {
      if (step.created) steps.set(keyOf(step.created.resource, step.created.id), step);
    },
    of: (resource, id) => steps.get(keyOf(resource, id)),
  };
}

/**
 * Finds the place of an id.
 * @param likely the documented place
 */
export function placeOfId(
  response: Response,
  id: unknown,
  likely: readonly (string | number)[],
): IdPlace | undefined {
  if (response.xml) {
    const names = inXml(response).flatMap(({ name, text }) => (isSame(text, id) ? [name] : []));
    const xml = names.find((name) => name === likely.at(-1)) ?? names[0];
    if (xml !== undefined && isSame(idAt(response, { xml }), id)) return { xml };
  } else {
    if (isSame(idAt(response, likely), id)) return likely;
    const place = search(jsonOf(response), id, []);
    if (place) return place;
  }
  return isSame(idAt(response, 'location'), id) ? 'location' : undefined;
}

const isSame = (one: unknown, other: unknown) => one !== undefined && String(one) === String(other);

/** The id at a place of a response; undefined: there is none. */
export function idAt(response: Response, place: IdPlace): unknown {
  if (typeof place === 'object' && 'xml' in place)
    return inXml(response).find(({ name }) => name === place.xml)?.text;
  if (place !== 'location') {
    let value = jsonOf(response);
    for (const name of place) value = (value as Readonly<Record<string, unknown>> | undefined | null)?.[name];
    return typeof value === 'object' ? undefined : value;
  }
  const [, last] = /([^/]+)\/?$/.exec((headerOf(response, 'location') ?? '').replace(/[?#].*$/s, '')) ?? [];
  try {
    return last === undefined ? undefined : decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Attributes and elements as a shell script finds them: without entities, or elements with attributes. */
function inXml({ text = '' }: Response): { name: string; text: string }[] {
  const matches = text.matchAll(/[<\s](?:[\w.-]+:)?([\w.-]+)(?:="([^"]*)"|>([^<\s]*))/g);
  return [...matches].map(([, name = '', attribute, content = '']) => ({ name, text: attribute ?? content }));
}

const DEEPEST = 4;

function search(value: unknown, id: unknown, path: readonly (string | number)[]): IdPlace | undefined {
  if (!isRecord(value) && !Array.isArray(value)) return undefined;
  if (path.length >= DEEPEST) return undefined;
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((item) => [0, item])
    : Object.entries(value);
  for (const [name, member] of members)
    if (typeof member !== 'object' && isSame(member, id)) return [...path, name];
  for (const [name, member] of members) {
    const place = search(member, id, [...path, name]);
    if (place) return place;
  }
  return undefined;
}
