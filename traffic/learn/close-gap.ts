import { compileFindOperation, type Found, readInput } from '#observe';
import {
  type Contract,
  isEqual,
  isJsonType,
  isOctets,
  isRecord,
  mediaTypeFor,
  type Operation,
  type RequestViolation,
  rawChild,
  responseFor,
  tryJson,
} from '#spec';
import { headerOf, type RecordedExchange, type RecordedResponse } from '../har/recorded-exchange.ts';
import { whyNot } from './learn-traffic.ts';
import { Loosening, NoLongerRequired } from './loosen.ts';
import { operationGaps } from './operation-gaps.ts';
import { PathTally } from './operation-tally.ts';
import { asVersion30, type OverlayChange } from './overlay-change.ts';
import { findPathGaps } from './path-gaps.ts';
import type { Schemas } from './schemas.ts';
import { UnnamedMembers } from './unnamed-members.ts';
import { entryAt } from './value-tally.ts';

/** The differences between traffic and document in one pass over the traffic. */
export interface Gap {
  add(exchange: RecordedExchange): void;
  changes(minimum: number): OverlayChange[];
  /** Base URLs that have responded as the service does. */
  readonly proven: ReadonlySet<string>;
  readonly matched: number;
  /** Places in other files, which an overlay cannot change. */
  readonly unreachable: ReadonlySet<string>;
}

/** @param proven base URLs that are known to be the service's; undefined: none yet, and only operations are learned */
export function findGap(
  contract: Contract,
  baseUrls: readonly URL[] | undefined,
  proven: ReadonlySet<string> | undefined,
): Gap {
  const { root } = contract.document;
  const is30 = isRecord(root.value) && String(root.value.openapi).startsWith('3.0');
  const find = compileFindOperation(contract, baseUrls);
  const seen = new Map<Operation, PathTally>();
  const loosening = new Loosening(root);
  const { unreachable } = loosening;
  const members = new UnnamedMembers(root, unreachable);
  const required = new NoLongerRequired(root);
  const paths = findPathGaps(contract);
  const bases = new Set<string>();
  let matched = 0;

  function add(exchange: RecordedExchange): void {
    const { request, response } = exchange;
    if (!response || whyNot(exchange, undefined)) return;
    const answered = { ...exchange, response };
    const match = find(request.method, request.url);
    if ('why' in match) {
      const { why, base } = match;
      if (why === 'elsewhere' || why === 'unread' || base === undefined || !proven?.has(base)) return;
      const path = request.url.pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
      const [documented] = match.methods?.values() ?? [];
      paths.add(answered, path, documented?.operation.path);
      return;
    }
    matched += 1;
    if (response.status !== 404) bases.add(match.base);
    entryAt(seen, match.operation, () => new PathTally()).add(answered);
    compareRequest(match, exchange, response);
    compareResponse(match.operation, response);
  }

  function compareRequest(
    match: Found,
    { request, startedAt }: RecordedExchange,
    { status, body: answered }: RecordedResponse,
  ): void {
    // A rejected request may violate the document.
    if (status >= 400 && status < 500) return;
    const { operation } = match;
    const of = `${operation.method} ${operation.path}`;
    const { read } = readInput(contract, match, { ...request, startedAt }, false);
    for (const violation of read.violations) {
      const { in: place, name, keyword, kind } = violation;
      if (kind === 'media type' || kind === 'syntax') continue;
      // A whole parameter or body is missing: that is not about the schema.
      if (keyword === 'required' && violation.pointer === '' && violation.received === undefined)
        required.add(spotOf(operation, violation), `${of}: ${place} ${name}`.trim());
      else
        loosening.add(violation, `${of}: ${place === 'body' ? 'request body' : `${place} ${name}`}`, request);
    }
    const type = headerOf(request.headers, 'content-type');
    const media = type === undefined ? undefined : mediaTypeFor(operation.body?.content ?? [], type);
    if (media?.shape && isJsonType(type ?? '') && !isOctets(media.shape))
      members.find(media.shape, kept(read.body, tryJson(answered)), `${of}: request body`);
  }

  function compareResponse(operation: Operation, response: RecordedResponse): void {
    const documented = responseFor(operation.responses, response.status);
    const type = headerOf(response.headers, 'content-type') ?? '';
    if (!documented) return;
    const media = mediaTypeFor(documented.content, type);
    if (!media?.schema || !isJsonType(type) || isOctets(media.shape)) return;
    if (response.bodyMissing || response.body.length === 0) return;
    const value = tryJson(response.body);
    if (value === undefined) return;
    const where = `${operation.method} ${operation.path}: response ${response.status}`;
    for (const violation of contract.validators.compile(media.schema, 'response')(value))
      loosening.add(violation, where, response);
    if (media.shape) members.find(media.shape, value, where);
    for (const header of documented.headers)
      if (header.required && headerOf(response.headers, header.name) === undefined)
        required.add(header.spot, `${where}: header ${header.name}`);
  }

  function changes(minimum: number): OverlayChange[] {
    const components = rawChild(root, 'components');
    const schemas = components && rawChild(components, 'schemas');
    const taken = Object.keys((schemas?.value as object | undefined) ?? {});
    const takenIds = contract.operations.map(({ id }) => id);
    const documentedGaps = operationGaps(seen, root, { minimum, taken }, unreachable);
    const others = paths.changes({
      minimum,
      taken: [...taken, ...Object.keys(documentedGaps.components)],
      takenIds,
    });
    const added = [documentedGaps, others].flatMap((gaps) => [
      ...componentsChange(gaps.components),
      ...gaps.changes,
    ]);
    return [...added, ...members.changes(), ...loosening.changes(is30), ...required.changes()]
      .filter(({ seen: times }) => times >= minimum)
      .map((change) =>
        is30 && change.kind === 'adds' ? { ...change, update: asVersion30(change.update) } : change,
      );
  }

  return {
    add,
    changes,
    proven: bases,
    get matched() {
      return matched;
    },
    unreachable,
  };
}

/** The schemas that other changes refer to. */
function componentsChange(schemas: Schemas['components']): OverlayChange[] {
  const names = Object.keys(schemas).join(', ');
  if (names === '') return [];
  return [
    {
      target: '$',
      update: { components: { schemas } },
      key: `components ${names}`,
      text: `schemas ${names} of what is added`,
      kind: 'adds',
      seen: Number.POSITIVE_INFINITY,
    },
  ];
}

function spotOf({ body, parameters }: Operation, { in: place, name }: RequestViolation) {
  return place === 'body'
    ? body?.spot
    : parameters.find((parameter) => parameter.in === place && parameter.name === name)?.spot;
}

/** The sent value without the members for which the service returned other values: it sets them itself. */
function kept(sent: unknown, answer: unknown): unknown {
  if (!isRecord(sent) || !isRecord(answer)) return sent;
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => !Object.hasOwn(answer, name) || isEqual(value, answer[name]),
    ),
  );
}
