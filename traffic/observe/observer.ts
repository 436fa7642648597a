import { type Contract, isEqual, isRecord, memberShape, SAFE_METHODS, type Shape } from '#spec';
import { isPresumed, type Judgement, judgeExchange } from '../../contract-tests/laws/all-laws.ts';
import { type Evidence, gatherEvidence } from '../../contract-tests/laws/evidence.ts';
import { isUsable } from '../../contract-tests/laws/excused-status.ts';
import { is4xx } from '../../contract-tests/laws/expect-status.ts';
import type { Law } from '../../contract-tests/laws/law.ts';
import { type Role, roleOf } from '../../contract-tests/laws/operation-role.ts';
import { NO_CREDENTIAL, needsKey } from '../../contract-tests/send/credentials.ts';
import { decodeResponse, type Exchange, type Response } from '../../contract-tests/send/response.ts';
import type { WireResponse } from '../../contract-tests/send/wire.ts';
import { collectFindings } from './findings-so-far.ts';
import {
  type ObservedFinding,
  type ObservedRequest,
  type ObserveOptions,
  type Observer,
  type PendingExchange,
  resolveObserveOptions,
  type Unjudged,
} from './observed.ts';
import {
  compileFindOperation,
  hasCredential,
  hasOptions,
  isPlainRequest,
  type Match,
  type NotFound,
  principalOf,
  type ReadInput,
  readInput,
} from './read-request.ts';
import { reportTraffic } from './report-traffic.ts';
import { invalidRequest, unknownRequest } from './request-fault.ts';
import { ClientFaults, createTally, UnknownRequests } from './tally.ts';
import { DOUBTFUL, isUnreadable, trafficLaws, whyNotJudged } from './traffic-laws.ts';
import { UNKNOWN_WRITE, type WatchedRecords, type Watching, watchRecords } from './watched-records.ts';

const NOTHING: readonly ObservedFinding[] = [];

/**
 * Judges traffic of others by every rule that needs no requests of its own. Normal responses of a correct service to
 * independent clients are no findings: an expired key, a record that somebody else removed, a lagging replica.
 * @throws SettingsError for an invalid option
 */
export function observe(contract: Contract, options: ObserveOptions = {}): Observer {
  const { baseUrls, exclusive, wholeHeaders, onUse, settle, settings, mask } = resolveObserveOptions(
    options,
    contract.document.root.file.uri,
  );
  const startedAt = new Date();
  const run = { contract, settings };
  const find = compileFindOperation(contract, baseUrls);
  const laws = trafficLaws(wholeHeaders);
  const sites = createSites(settle, baseUrls !== undefined);
  const findings = collectFindings(run, mask);
  const tally = createTally(contract);
  const unknown = new UnknownRequests();
  const faults = new ClientFaults();

  function begin(request: ObservedRequest): PendingExchange {
    tally.count('exchanges');
    // For a safe request the service does not matter.
    if (request.isSkipped && SAFE_METHODS.has(request.method))
      return beginUnjudged(request, 'notSampled', undefined);
    const match = find(request.method, request.url);
    if (request.isSkipped) return beginUnjudged(request, 'notSampled', match.base);
    if ('why' in match) return beginUnknown(request, match);
    const site = sites.at(match.base);
    const role = roleOf(contract, match.operation);
    const reading = readInput(contract, match, request, wholeHeaders);
    const plain = isPlainRequest(match.operation, role, reading.input, reading.wire);
    const unsafe = !SAFE_METHODS.has(request.method);
    const watching = site.records.begin({
      principal: principalOf(match.operation, request),
      startedAt: request.startedAt,
      plain,
      role,
      input: reading.input,
      unsafe,
    });
    const endElsewhere = unsafe ? sites.beginWrite(site, request.startedAt) : undefined;
    const endedAt = (response: WireResponse | undefined) =>
      request.startedAt === undefined ? undefined : request.startedAt + (response?.ms ?? 0);
    return {
      operation: match.operation,
      unjudged: undefined,
      fault: () => invalidRequest(match, reading, request, mask),
      end(response) {
        const pending = { match, site, role, reading, request, watching, plain };
        const why = response
          ? whyNotJudged(settings, match.operation, reading.wire, response)
          : 'withoutResponse';
        try {
          if (response && why === undefined) return judge(pending, response);
          tally.count(why ?? 'withoutResponse');
          if (site.proven) noteUse(pending, response?.status);
          return NOTHING;
        } finally {
          watching.end(response?.status, endedAt(response), why === undefined);
          endElsewhere?.(endedAt(response));
        }
      },
    };
  }

  function beginUnknown(request: ObservedRequest, match: NotFound): PendingExchange {
    if (match.why !== 'unread') unknown.add(request.method, request.url);
    const fault = () => unknownRequest(contract, request, match);
    return { ...beginUnjudged(request, match.why, match.base), fault };
  }

  /** It may change records nevertheless. */
  function beginUnjudged(request: ObservedRequest, why: Unjudged, base: string | undefined): PendingExchange {
    const unsafe = !SAFE_METHODS.has(request.method);
    const { startedAt } = request;
    const site = unsafe && base !== undefined ? sites.at(base) : undefined;
    const watching = site?.records.begin({ ...UNKNOWN_WRITE, startedAt });
    // At another site it may not be the service.
    const endElsewhere = site?.proven ? sites.beginWrite(site, startedAt) : undefined;
    tally.count(why);
    return {
      operation: undefined,
      unjudged: why,
      fault: () => undefined,
      end(response) {
        const endedAt = startedAt === undefined ? undefined : startedAt + (response?.ms ?? 0);
        watching?.end(response?.status, endedAt, false);
        endElsewhere?.(endedAt);
        return NOTHING;
      },
    };
  }

  function evidenceOf(pending: Pending, response: Response): Evidence {
    const { match, reading, watching } = pending;
    const exchange: Exchange = {
      operation: match.operation,
      input: { ...reading.input, ...refusal(pending, response.status) },
      request: reading.wire,
      response,
    };
    const context = { contract, model: watching.records, earlier: [] };
    return spelled(gatherEvidence(exchange, context, reading.read));
  }

  function judge(pending: Pending, answer: WireResponse): readonly ObservedFinding[] {
    const { match, site, reading } = pending;
    const { operation } = match;
    const { status } = answer;
    const response = decodeResponse(answer, operation);
    const evidence = evidenceOf(pending, response);
    const { exchange } = evidence;
    const { judgements, suspicions } = judgeAll(pending, evidence);
    const take = () => {
      tally.note(exchange, judgements.every(isPresumed));
      noteUse(pending, status);
      faults.add(operation, reading.read);
      if (reading.bodyMissing || answer.cut) tally.count('bodiesMissing');
      findings.suspect(suspicions, evidence);
      return findings.add(judgements, evidence);
    };
    if (!site.proven && isUsable(operation, response) && status !== 404) prove(site);
    if (site.proven) return take();
    site.unproven += 1;
    if (site.held.length < MOST_HELD) site.held.push(take);
    return NOTHING;
  }

  function noteUse({ match, reading }: Pending, status: number | undefined): void {
    const { read, wire, bodyMissing } = reading;
    onUse?.({ operation: match.operation, read, wire, bodyMissing, status });
  }

  function prove(site: Site): void {
    site.proven = true;
    site.unproven -= site.held.length;
    for (const take of site.held.splice(0)) take();
  }

  function judgeAll(
    pending: Pending,
    evidence: Evidence,
  ): { judgements: Judgement[]; suspicions: Judgement[] } {
    const { watching, plain, reading } = pending;
    const single = judgeExchange(evidence, lawsFor(pending, evidence));
    if (evidence.response.cut || !plain || isUnreadable(evidence) || !watching.mayJudge()) {
      watching.observe(evidence, false);
      return { judgements: single, suspicions: [] };
    }
    const across = judgeExchange({ ...evidence, earlier: watching.listed() }, laws.ofRecords);
    const certain = exclusive && across.length > 0 ? judgeSettled(watching, evidence) : [];
    const suspicions = across.filter((judgement) => !certain.some((other) => isSame(judgement, other)));
    watching.observe(evidence, suspicions.length === 0 || !exclusive);
    return { judgements: [...single, ...certain], suspicions: reading.bodyMissing ? [] : suspicions };
  }

  /** Compares with what no replica can lag behind. */
  function judgeSettled(watching: Watching, evidence: Evidence): Judgement[] {
    const settled = { ...evidence, model: watching.settled, earlier: watching.settledList() };
    const quiet = watching.isQuiet();
    return judgeExchange(
      settled,
      laws.ofRecords.filter(({ name }) => quiet || name !== 'total'),
    );
  }

  function lawsFor({ reading }: Pending, evidence: Evidence): readonly Law[] {
    if (evidence.response.cut) return laws.ofHead;
    // The request may be invalid.
    if (reading.bodyMissing && is4xx(evidence.response)) return laws.ofAnswer;
    return hasOptions(reading.wire) || isUnreadable(evidence) ? laws.ofMessage : laws.ofExchange;
  }

  /** The credential may be invalid: an error proves nothing, unless there is no credential at all. */
  function refusal({ match, request }: Pending, status: number): Pick<Exchange['input'], 'refused'> {
    const { operation } = match;
    if (operation.security.length === 0) return {};
    const hasNone = wholeHeaders && needsKey(operation) && !hasCredential(operation, request);
    if (hasNone && request.method !== 'OPTIONS') return { refused: NO_CREDENTIAL };
    return status === 401 || status === 403 ? { refused: DOUBTFUL } : {};
  }

  return {
    begin,
    countAgain: tally.repeat,
    get findings() {
      return findings.all.map(({ reported }) => reported);
    },
    get traffic() {
      const foreign = sites.all.reduce((sum, { unproven }) => sum + unproven, 0);
      return { ...tally.traffic, foreign, findingsDropped: findings.dropped };
    },
    report() {
      const bases = sites.all.filter(({ proven }) => proven).map(({ base }) => base);
      const { traffic } = this;
      return reportTraffic({ run, startedAt, bases, findings, tally, traffic, exclusive, unknown, faults });
    },
  };
}

/**
 * Judges the exchanges with a service by the rules of the proxy, one after the other, for use as `judge` of a mock in
 * front of a real service (`upstream`).
 * @param baseUrl of the service
 * @throws SettingsError for an invalid base URL
 * @example
 * const mock = await createMock({ document: 'openapi.yaml', upstream: 'http://127.0.0.1:8080', judge: judgeTraffic });
 */
export function judgeTraffic(
  contract: Contract,
  baseUrl: string,
): (request: ObservedRequest) => Pick<PendingExchange, 'end'> {
  const { begin } = observe(contract, { baseUrls: [baseUrl], wholeHeaders: true });
  return begin;
}

/** The number of exchanges that are kept for a site before it has responded as the service does. */
const MOST_HELD = 20;

interface Pending {
  readonly match: Match;
  readonly site: Site;
  readonly role: Role | undefined;
  readonly reading: ReadInput;
  readonly request: ObservedRequest;
  readonly watching: Watching;
  readonly plain: boolean;
}

function isSame({ breach }: Judgement, { breach: other }: Judgement): boolean {
  return breach.law === other.law && breach.at.uri === other.at.uri && breach.at.line === other.at.line;
}

function spelled(evidence: Evidence): Evidence {
  const { role, request, json, succeeded } = evidence;
  if (!succeeded || !role || !isRecord(request.body) || !isRecord(json)) return evidence;
  const body = asSpelled(request.body, json, role.resource.shape);
  return { ...evidence, request: { ...request, body } };
}

type Data = Readonly<Record<string, unknown>>;

/** Formats whose values ignore case. */
const CASELESS = new Set(['email', 'idn-email', 'hostname', 'idn-hostname', 'uri', 'url', 'uuid', 'iri']);

/**
 * A body with values replaced by the record's equivalent spelling. The suite sends values with one spelling; clients may
 * send `2030-01-01T01:00:00+01:00` and get `2030-01-01T00:00:00Z`.
 */
function asSpelled(sent: Data, received: Data, shape: Shape): Data {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const other = received[name];
      const member = memberShape(shape, name);
      if (isRecord(value) && isRecord(other) && member) return [name, asSpelled(value, other, member)];
      return [name, isSameText(value, other, member) ? other : value];
    }),
  );
}

function isSameText(sent: unknown, received: unknown, member: Shape | undefined): boolean {
  if (typeof sent !== 'string' || typeof received !== 'string' || isEqual(sent, received)) return false;
  const format = String(member?.find('format')?.value ?? '');
  if (isInstant(sent) && isInstant(received)) return Date.parse(sent) === Date.parse(received);
  const [one, other] = [sent, received].map((text) => text.trim().normalize('NFC')) as [string, string];
  if (one === other) return true;
  if (!CASELESS.has(format)) return false;
  return one.toLowerCase().replace(/\/$/, '') === other.toLowerCase().replace(/\/$/, '');
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/i.test(text) && !Number.isNaN(Date.parse(text));
}

/** A deployment that requests go to: an origin with a path prefix. */
interface Site {
  readonly base: string;
  readonly records: WatchedRecords;
  /** Whether it has responded as the service does. */
  proven: boolean;
  /** The number of exchanges before that. */
  unproven: number;
  /** What to do with these exchanges once it is proven. */
  readonly held: (() => void)[];
}

interface Sites {
  at(base: string): Site;
  /**
   * Begins a write: what one deployment stores may appear at another.
   * @returns call it at the end of the write
   */
  beginWrite(site: Site, startedAt: number | undefined): (endedAt: number | undefined) => void;
  readonly all: readonly Site[];
}

/** A browser's traffic has many origins; those that never responded as the service does are dropped first. */
const MOST_SITES = 100;

/** @param proven whether the user states that the service is there */
function createSites(settle: number, proven: boolean): Sites {
  const sites = new Map<string, Site>();
  return {
    at(base) {
      const site = sites.get(base) ?? { base, records: watchRecords(settle), proven, unproven: 0, held: [] };
      sites.set(base, site);
      if (sites.size > MOST_SITES) {
        const oldest = [...sites.values()].find((one) => !one.proven && one !== site);
        if (oldest) sites.delete(oldest.base);
      }
      return site;
    },
    beginWrite(site, startedAt) {
      const others = [...sites.values()].filter((other) => other !== site);
      const begun = others.map(({ records }) => records.begin({ ...UNKNOWN_WRITE, startedAt }));
      return (endedAt) => {
        for (const watching of begun) watching.end(undefined, endedAt, false);
      };
    },
    get all() {
      return [...sites.values()];
    },
  };
}
