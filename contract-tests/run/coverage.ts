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
} from '#spec';
import { type Exchange, jsonOf } from '../send/response.ts';

/** What of the document the run has seen, each as names, so that what is missing can be said. */
export interface Coverage {
  readonly operations: Part;
  readonly statuses: Part;
  readonly parameters: Part;
  readonly enumValues: Part;
  readonly responseProperties: Part;
}

/** Of one kind of parts of the document: how many there are, how many were seen, and the names of the others. */
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

/** Recursive schemas are followed no deeper. */
const MAX_DEPTH = 4;

export function createCoverage(contract: Contract): CoverageRecorder {
  const documented = listDocumented(contract);
  const seen: Record<Kind, Set<string>> = emptySets();
  // What others send has names and values without end: only those of the document are kept.
  const note: Note = (kind, name) => {
    if (documented[kind].has(name)) seen[kind].add(name);
  };
  const places = new Map<string, Place>();
  const placeOf = (cell: string, shape: Shape): Place => {
    const known = places.get(cell) ?? placesIn(shape, `${cell} `);
    places.set(cell, known);
    return known;
  };
  return {
    witness(exchange) {
      witness(exchange, note);
      const { operation, response } = exchange;
      const cell = `${operation.id} ${response.status}`;
      const shape = documented.statuses.has(cell) ? jsonShape(operation, response.status) : undefined;
      if (shape) look(placeOf(cell, shape), jsonOf(response), (name) => note('responseProperties', name));
    },
    report: () => {
      const part = (kind: Kind): Part => {
        const all = [...documented[kind]];
        const missing = all.filter((name) => !seen[kind].has(name));
        return { seen: all.length - missing.length, total: all.length, missing };
      };
      return {
        operations: part('operations'),
        statuses: part('statuses'),
        parameters: part('parameters'),
        enumValues: part('enumValues'),
        responseProperties: part('responseProperties'),
      };
    },
  };
}

type Note = (kind: Kind, name: string) => void;

function emptySets(): Record<Kind, Set<string>> {
  return {
    operations: new Set(),
    statuses: new Set(),
    parameters: new Set(),
    enumValues: new Set(),
    responseProperties: new Set(),
  };
}

function listDocumented(contract: Contract): Record<Kind, Set<string>> {
  const all = emptySets();
  for (const operation of contract.operations) {
    all.operations.add(operation.id);
    for (const { name, in: place, shape } of operation.parameters) {
      all.parameters.add(`${operation.id} ${place} ${name}`);
      for (const value of shape.values ?? []) all.enumValues.add(`${operation.id} ${place} ${name}=${value}`);
    }
    const body = bodyMedia(operation.body)?.shape;
    if (body)
      eachMember(body, (path, member) => {
        for (const value of (member.values ?? []).filter(isPlain))
          all.enumValues.add(`${operation.id} body ${path}=${value}`);
      });
    for (const status of explicitStatuses(operation.responses)) {
      all.statuses.add(`${operation.id} ${status}`);
      const shape = jsonShape(operation, status);
      if (shape) eachMember(shape, (path) => all.responseProperties.add(`${operation.id} ${status} ${path}`));
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

function eachMember(shape: Shape, visit: (path: string, member: Shape) => void, path = '', depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (shape.items) eachMember(shape.items, visit, `${path}[]`, depth + 1);
  for (const [name, member] of shape.properties) {
    const inner = path === '' ? name : `${path}.${name}`;
    visit(inner, member);
    eachMember(member, visit, inner, depth + 1);
  }
}

function witness({ operation, request, response, input }: Exchange, note: Note): void {
  note('operations', operation.id);
  note('statuses', `${operation.id} ${response.status}`);
  for (const { name, in: place } of operation.parameters) {
    for (const value of sentValues(request, place, name)) {
      note('parameters', `${operation.id} ${place} ${name}`);
      note('enumValues', `${operation.id} ${place} ${name}=${value}`);
    }
  }
  if (request.body && response.status < 300) {
    eachValue(
      tryJson(request.body) ?? input.body,
      (path, value) =>
        // Of what is nested the text may be endless, and an enum has no names for it.
        isPlain(value) && note('enumValues', `${operation.id} body ${path}=${value}`),
    );
  }
}

/** A place in a body, with those below it: names are put together once, and not for each value. */
interface Place {
  readonly members: ReadonlyMap<string, Place & { readonly name: string }>;
  readonly items: Place | undefined;
  /** Everything below it was seen. */
  isSeen: boolean;
}

function placesIn(shape: Shape, start: string, path = '', depth = 0): Place {
  if (depth > MAX_DEPTH) return { members: new Map(), items: undefined, isSeen: true };
  const items = shape.items && placesIn(shape.items, start, `${path}[]`, depth + 1);
  const members = new Map(
    [...shape.properties].map(([name, member]) => {
      const inner = path === '' ? name : `${path}.${name}`;
      return [name, { ...placesIn(member, start, inner, depth + 1), name: start + inner }];
    }),
  );
  return { members, items, isSeen: members.size === 0 && (items?.isSeen ?? true) };
}

function look(place: Place, value: unknown, see: (name: string) => void): void {
  const { members, items } = place;
  if (place.isSeen) return;
  let missing = 0;
  if (Array.isArray(value) && items) for (const item of value) look(items, item, see);
  for (const [name, member] of members) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) missing += 1;
    else {
      see(member.name);
      look(member, value[name], see);
    }
    if (!member.isSeen) missing += 1;
  }
  place.isSeen = missing === 0 && (items?.isSeen ?? true);
}

function sentValues({ url, headers }: Exchange['request'], place: string, name: string): string[] {
  // An operation cannot be asked without its path parameters.
  if (place === 'path') return [''];
  if (place === 'query') return url.searchParams.getAll(name);
  const sent = (header: string) =>
    headers.filter(([key]) => key.toLowerCase() === header).map(([, value]) => value);
  return place === 'header' ? sent(name) : cookiesOf(sent('cookie')).getAll(name);
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function tryJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

function eachValue(
  value: unknown,
  visit: (path: string, value: unknown) => void,
  path = '',
  depth = 0,
): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) for (const item of value) eachValue(item, visit, `${path}[]`, depth + 1);
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`;
    visit(inner, member);
    eachValue(member, visit, inner, depth + 1);
  }
}
