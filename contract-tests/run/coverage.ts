import {
  bodyMedia,
  type Contract,
  cookiesOf,
  explicitStatuses,
  isRecord,
  isXml,
  mediaTypeFor,
  type Operation,
  responseFor,
  type Shape,
  tryJson,
} from '#spec';
import { type Exchange, jsonOf } from '../send/response.ts';

/** The parts of the document that the run has covered, by name, so that missing ones can be listed. */
export interface Coverage {
  readonly operations: Part;
  readonly statuses: Part;
  readonly parameters: Part;
  readonly enumValues: Part;
  readonly responseProperties: Part;
}

/** The coverage of one kind of parts: the total, the covered ones, and the names of the missing ones. */
export interface Part {
  readonly seen: number;
  readonly total: number;
  readonly missing: readonly string[];
}

export interface CoverageRecorder {
  witness(exchange: Exchange): void;
  report(): Coverage;
}

type Kind = keyof Coverage;

const KINDS = ['operations', 'statuses', 'parameters', 'enumValues', 'responseProperties'] as const;

type Names = Readonly<Record<Kind, Set<string>>>;

const noNames = () => Object.fromEntries(KINDS.map((kind) => [kind, new Set()])) as Names;

/** The maximum depth in recursive schemas. */
const MAX_DEPTH = 4;

export function createCoverage(contract: Contract): CoverageRecorder {
  const documented = listDocumented(contract);
  const seen = noNames();
  // Traffic of others has any number of names and values: only documented ones are kept.
  const note: Note = (kind, name) => {
    if (documented[kind].has(name)) seen[kind].add(name);
  };
  const places = new Map<string, Place>();
  const placeOf = (start: string, shape: Shape): Place => {
    const place = places.get(start) ?? placesIn(shape, start);
    places.set(start, place);
    return place;
  };
  return {
    witness(exchange) {
      const { operation, request, response, input } = exchange;
      noteRequest(exchange, note);
      const sent = request.body && response.status < 300 ? bodyMedia(operation.body)?.shape : undefined;
      if (request.body && sent)
        look(placeOf(`${operation.id} body `, sent), tryJson(request.body) ?? input.body, (place, value) => {
          // Nested values may be of any length, and are not listed in enumerations.
          if (isPlain(value)) note('enumValues', `${place.name}=${value}`);
          return place.values.every((each) => seen.enumValues.has(`${place.name}=${each}`));
        });
      const cell = `${operation.id} ${response.status}`;
      const shape = documented.statuses.has(cell) ? jsonShape(operation, response.status) : undefined;
      if (shape)
        look(placeOf(`${cell} `, shape), jsonOf(response), ({ name }) => {
          note('responseProperties', name);
          return true;
        });
    },
    report: () => {
      const part = (kind: Kind): Part => {
        const all = [...documented[kind]];
        const missing = all.filter((name) => !seen[kind].has(name));
        return { seen: all.length - missing.length, total: all.length, missing };
      };
      return Object.fromEntries(KINDS.map((kind) => [kind, part(kind)])) as Record<Kind, Part>;
    },
  };
}

type Note = (kind: Kind, name: string) => void;

function listDocumented(contract: Contract): Names {
  const all = noNames();
  for (const operation of contract.operations) {
    all.operations.add(operation.id);
    for (const { name, in: place, shape } of operation.parameters) {
      all.parameters.add(`${operation.id} ${place} ${name}`);
      for (const value of shape.values ?? []) all.enumValues.add(`${operation.id} ${place} ${name}=${value}`);
    }
    const body = bodyMedia(operation.body)?.shape;
    for (const { name, values } of body ? placesWithin(placesIn(body, `${operation.id} body `)) : [])
      for (const value of values) all.enumValues.add(`${name}=${value}`);
    for (const status of explicitStatuses(operation.responses)) {
      all.statuses.add(`${operation.id} ${status}`);
      const shape = jsonShape(operation, status);
      for (const { name } of shape ? placesWithin(placesIn(shape, `${operation.id} ${status} `)) : [])
        all.responseProperties.add(name);
    }
  }
  return all;
}

function jsonShape(operation: Operation, status: number): Shape | undefined {
  const documented = responseFor(operation.responses, status);
  const { content = [] } = documented ?? {};
  return (
    mediaTypeFor(content, 'application/json') ??
    content.find(({ isJson }) => isJson) ??
    content.find(isXml)
  )?.shape;
}

function noteRequest({ operation, request, response }: Exchange, note: Note): void {
  note('operations', operation.id);
  note('statuses', `${operation.id} ${response.status}`);
  for (const { name, in: place } of operation.parameters) {
    for (const value of sentValues(request, place, name)) {
      note('parameters', `${operation.id} ${place} ${name}`);
      note('enumValues', `${operation.id} ${place} ${name}=${value}`);
    }
  }
}

/** A place in a body, with those below it: names are built once, and not for each value. */
interface Place {
  readonly name: string;
  /** The enumerated values; nested ones have no names. */
  readonly values: readonly unknown[];
  readonly members: ReadonlyMap<string, Place>;
  readonly items: Place | undefined;
  /** Whether everything below it is covered. */
  isSeen: boolean;
}

function placesIn(shape: Shape, start: string, path = '', depth = 0): Place {
  const name = start + path;
  const values = (shape.values ?? []).filter(isPlain);
  if (depth > MAX_DEPTH) return { name, values, members: new Map(), items: undefined, isSeen: true };
  const items = shape.items && placesIn(shape.items, start, `${path}[]`, depth + 1);
  const members = new Map(
    [...shape.properties].map(([key, member]) => {
      const inner = path === '' ? key : `${path}.${key}`;
      return [key, placesIn(member, start, inner, depth + 1)];
    }),
  );
  return { name, values, members, items, isSeen: members.size === 0 && (items?.isSeen ?? true) };
}

/** The members of a value, of its items and of nested values. */
function* placesWithin({ members, items }: Place): Generator<Place> {
  if (items) yield* placesWithin(items);
  for (const member of members.values()) {
    yield member;
    yield* placesWithin(member);
  }
}

/**
 * @param see marks a member and its value.
 * @returns whether nothing more remains to be covered
 */
function look(place: Place, value: unknown, see: (member: Place, value: unknown) => boolean): void {
  const { members, items } = place;
  if (place.isSeen) return;
  let missing = 0;
  if (Array.isArray(value) && items) for (const item of value) look(items, item, see);
  for (const [key, member] of members) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) missing += 1;
    else {
      if (!see(member, value[key])) missing += 1;
      look(member, value[key], see);
    }
    if (!member.isSeen) missing += 1;
  }
  place.isSeen = missing === 0 && (items?.isSeen ?? true);
}

function sentValues({ url, headers }: Exchange['request'], place: string, name: string): string[] {
  // Path parameters are always sent.
  if (place === 'path') return [''];
  if (place === 'query') return url.searchParams.getAll(name);
  const sent = (header: string) =>
    headers.filter(([key]) => key.toLowerCase() === header).map(([, value]) => value);
  return place === 'header' ? sent(name) : cookiesOf(sent('cookie')).getAll(name);
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
