import { type Contract, SAFE_METHODS } from '#spec';
import { judgeExchange } from '../../contract-tests/laws/all-laws.ts';
import { type Evidence, gatherEvidence, recordOf } from '../../contract-tests/laws/evidence.ts';
import { presumedIn } from '../../contract-tests/laws/law.ts';
import { roleOf } from '../../contract-tests/laws/operation-role.ts';
import type { KnownRecords } from '../../contract-tests/laws/own-record.ts';
import { isUsable } from '../../contract-tests/laws/protocol-status.ts';
import { idsIn } from '../../contract-tests/laws/record-model.ts';
import { referencesIn } from '../../contract-tests/laws/references.ts';
import { type CoverageRecorder, createCoverage, type Seen } from '../../contract-tests/run/coverage.ts';
import { decodeResponse } from '../../contract-tests/send/response.ts';
import type { WireResponse } from '../../contract-tests/send/wire.ts';
import { EqualExchanges } from './equal-exchanges.ts';
import type { ObservedRequest, ObserveOptions, Unjudged } from './observed.ts';
import { resolveObserveOptions } from './observed.ts';
import { compileFindOperation, hasOptions, isPlainRequest, principalOf, readInput } from './read-request.ts';
import { isUnreadable, trafficLaws, whyNotJudged } from './traffic-laws.ts';
import type { Glimpsed } from './watched-records.ts';

/**
 * What one exchange says by itself, as data that another thread can be given: all that an observer has to know of it where
 * nothing that it knows of records has anything to say of the response.
 */
export type Glimpse = UnknownRequest | KnownExchange;

/** A request without an operation. */
interface UnknownRequest {
  readonly why: Unjudged;
  readonly method: string;
  readonly origin: string;
  readonly pathname: string;
}

export interface KnownExchange {
  /** Its place among the operations of the contract. */
  readonly operation: number;
  readonly base: string;
  readonly principal: string | undefined;
  readonly plain: boolean;
  /** The values of the path. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly status: number | undefined;
  /** Why it is not judged; undefined: it was, and breaks nothing. */
  readonly unjudged: Unjudged | undefined;
  readonly isUsable: boolean;
  readonly shown: Glimpsed;
  /** What of the document it shows that no exchange with the service has shown to this thread. */
  readonly seen: readonly Seen[];
}

/** Where the service is known to be, and whether it is still of use there to know what responses refer to. */
export type KnownSites = ReadonlyMap<string, { readonly wantsReferences: boolean }>;

/** @returns undefined: the exchange is for an observer to judge */
export type TakeGlimpse = (
  request: ObservedRequest,
  response: WireResponse | undefined,
  sites: KnownSites,
) => Glimpse | undefined;

/** Laws are held against the most that may be known: what breaks nothing then breaks nothing. */
const ALL_SHOWN: KnownRecords = {
  records: [],
  recordsOf: () => [],
  find: () => undefined,
  isOfOthers: () => false,
  createsOf: () => undefined,
  wasRefused: () => false,
  hasShown: () => true,
  idsOf: () => ({ has: () => true }),
};

/**
 * Judges exchanges by themselves, as an observer with these options does. Requests that may change records, what breaks
 * anything, and what is not known whole are left to it: so its report does not depend on who has judged the others.
 */
export function compileGlimpse(contract: Contract, options: ObserveOptions): TakeGlimpse {
  const { baseUrls, settings, wholeHeaders } = resolveObserveOptions(
    options,
    contract.document.root.file.uri,
  );
  const find = compileFindOperation(contract, baseUrls);
  const laws = trafficLaws(wholeHeaders);
  const places = new Map(contract.operations.map((operation, place) => [operation, place]));
  const coverage = new Map<string, CoverageRecorder>();
  const equal = new EqualExchanges();
  const glimpses = new WeakMap<object, KnownExchange>();

  function coverageAt(base: string): CoverageRecorder {
    const known = coverage.get(base) ?? createCoverage(contract);
    coverage.set(base, known);
    return known;
  }

  function isSound(evidence: Evidence, plain: boolean): boolean {
    const isWhole = !hasOptions(evidence.exchange.request);
    if (judgeExchange(evidence, isWhole ? laws.ofExchange : laws.ofMessage).length > 0) return false;
    return !plain || judgeExchange(evidence, laws.ofRecords).length === 0;
  }

  return (request, response, sites) => {
    const { method, url } = request;
    if (!SAFE_METHODS.has(method)) return undefined;
    const found = find(method, url);
    if ('why' in found) return { why: found.why, method, origin: url.origin, pathname: url.pathname };
    const { operation, base } = found;
    const site = sites.get(base);
    const role = roleOf(contract, operation);
    if (!site || (role && role.action !== 'read' && role.action !== 'list')) return undefined;
    const same = equal.read(request, () => readInput(contract, found, request, wholeHeaders));
    const { given } = same;
    const { violations, unnamed = [] } = given.read;
    if (!same.mayRepeat || given.bodyMissing || violations.length > 0 || unnamed.length > 0) return undefined;
    const plain = isPlainRequest(operation, role, given.input, given.wire);
    const common = {
      operation: places.get(operation) ?? 0,
      base,
      principal: principalOf(operation, request),
      plain,
      path: given.input.path ?? {},
      status: response?.status,
      isUsable: false,
      shown: NOTHING_SHOWN,
      seen: [],
    };
    const why = response ? whyNotJudged(settings, operation, given.wire, response) : 'withoutResponse';
    if (!response || why !== undefined) return { ...common, unjudged: why };
    // A credential may be refused for any reason; a body that is not whole says less.
    const isRefused = operation.security.length > 0 && (response.status === 401 || response.status === 403);
    if (response.cut || response.left || isRefused) return undefined;
    const again = equal.judged(same, response);
    const before = again && glimpses.get(same);
    if (before && (before.shown.references || !site.wantsReferences)) return before;
    const decoded = again ?? decodeResponse(response, operation);
    const exchange = { operation, input: given.input, request: given.wire, response: decoded };
    const evidence = gatherEvidence(exchange, { contract, model: ALL_SHOWN, earlier: [] }, given.read);
    if (isUnreadable(evidence) || !isSound(evidence, plain)) return undefined;
    const shown = shownBy(evidence, site.wantsReferences);
    if (!shown) return undefined;
    equal.keep(same, decoded);
    coverageAt(base).witness(exchange);
    const isUsableOne = isUsable(operation, decoded);
    const made = { ...common, unjudged: undefined, isUsable: isUsableOne, shown };
    glimpses.set(same, made);
    return { ...made, seen: coverageAt(base).takeNew() };
  };
}

const NOTHING_SHOWN: Glimpsed = { ids: undefined, listed: undefined, complete: false, references: undefined };

/** @returns undefined: an id is no scalar */
function shownBy(evidence: Evidence, wantsReferences: boolean): Glimpsed | undefined {
  const { role, page, succeeded } = evidence;
  const record = succeeded ? recordOf(evidence) : undefined;
  const records = page?.records ?? (record ? [record] : undefined);
  const property = role?.resource.id?.property ?? '';
  if (records?.some(({ [property]: id }) => typeof id === 'object')) return undefined;
  return {
    ids: records && role && idsIn(role.resource, records),
    listed: page?.records.length,
    complete: page?.complete === true && presumedIn(page) === undefined,
    references: wantsReferences ? referencesIn(evidence) : undefined,
  };
}
