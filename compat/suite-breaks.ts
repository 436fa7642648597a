import type { CaseResult, Finding, LawName, Report, ReportedFinding } from '#contract-tests';
import { isSilentRefusal, openSuite } from '#report-parts';
import {
  type Contract,
  compileRequestReader,
  type LoadOptions,
  placeOf,
  responseFor,
  uniqueKeys,
} from '#spec';
import type { Break, Warning } from './break.ts';
import { isCredential, KEY, pathValues, rawOf, type Sent } from './draft.ts';
import { isUnstorable, wasReadToTheEnd } from './members.ts';
import type { Pace } from './pace.ts';
import { type Address, atNew, type Contracts, type Pair, sharedRecords } from './pair.ts';
import type { Twins } from './twins.ts';

/** A finding of OLD's suite for NEW, with its form for reports. */
export interface SuiteBreak {
  readonly finding: Finding;
  readonly reported: ReportedFinding | undefined;
}

export interface SuiteRun {
  readonly breaks: readonly SuiteBreak[];
  readonly results: readonly CaseResult[];
  readonly report: Report;
}

/** Rules for requests that no client of OLD sends, or for hidden members: breaking them breaks no client. */
const OF_NO_CLIENT: ReadonlySet<LawName> = new Set([
  'write-only-hidden',
  'unauthorised-first',
  'invalid-refused',
  'invalid-tolerated',
  'unique-refused',
  'unknown-id',
  'read-only-ignored',
  'refused-leaves-nothing',
  'refused-changes-nothing',
]);

export interface SuiteOptions {
  /** The part of OLD that is run. */
  readonly contract: Contract;
  /** The document OLD, as it was read for the comparison. */
  readonly document: string;
  readonly reading: LoadOptions;
  readonly seed: number;
  readonly examples: number;
  readonly strictStability: boolean;
  readonly signal: AbortSignal | undefined;
  /** The ids of the operations whose cases run. */
  readonly affected: ReadonlySet<string>;
  readonly pace: Pace;
  readonly onProgress: (done: number, total: number, what: string) => void;
}

/** The report of a suite without cases and mocks. */
export async function emptySuite(options: Omit<SuiteOptions, 'onProgress'>): Promise<SuiteRun> {
  const nobody = async () => new Response(null, { status: 404 });
  return judge({ fetch: nobody }, 'http://localhost', { ...options, onProgress: () => undefined });
}

/** Runs the suite of OLD against a mock of NEW and one of OLD: findings for both are no changes. */
export async function runSuite(twins: Twins, options: SuiteOptions): Promise<SuiteRun> {
  await twins.new.reset();
  const run = await judge(twins.new, twins.urls.new, options);
  if (run.breaks.length === 0) return run;
  await twins.old.reset();
  const usual = await judge(twins.old, twins.urls.old, options);
  const [causes, tried] = [
    new Set(usual.breaks.map(({ finding }) => causeOf(finding))),
    new Set(usual.results.map((result) => result.case.id)),
  ];
  return {
    ...run,
    // Findings that could not be compared in time are not reported.
    breaks: run.breaks.filter(
      ({ finding }) =>
        !causes.has(causeOf(finding)) && (tried.has(finding.caseId) || !options.pace.stopped()),
    ),
  };
}

function causeOf({ operationId, law, at, exchange }: Finding): string {
  // A status may be documented in several places; an undocumented one is a single break.
  const about = law === 'status' ? exchange.response.status : `${at.uri}:${at.line}:${at.column}`;
  return `${operationId} ${law} ${about}`;
}

async function judge(
  mock: Pick<Twins['old'], 'fetch'>,
  target: string,
  options: SuiteOptions,
): Promise<SuiteRun> {
  const { contract, document, reading, seed, examples, strictStability, signal, affected, pace, onProgress } =
    options;
  const checkOptions = {
    ...reading,
    seed,
    examples,
    strict: strictStability ? (['stability'] as const) : [],
    maxTime: pace.left(),
    target,
    document,
    fetch: mock.fetch,
    apiKey: KEY,
    // The mock belongs to the comparison.
    allow: ['all'],
    // Sequentially and without repetitions: two runs must differ in the documents only.
    jobs: 1,
    settle: 0,
    retries: 0,
    ...(signal && { signal }),
  };
  const { suite, settledResults } = await openSuite(checkOptions, { read: contract, isTheService: true });
  const cases = suite.cases.filter(({ operation }) => affected.has(operation.id));
  for (const [index, one] of cases.entries()) {
    if (pace.stopped()) break;
    onProgress(index, cases.length, one.id);
    await suite.execute(one);
    await pace.breathe();
  }
  const report = await suite.finish();
  // Later cases may decide whether a case reports something.
  const results = settledResults();
  const all = results.flatMap(({ findings }) => findings);
  // Either all findings are reported, in order, or some are not.
  const isReported = report.findings.length === all.length;
  // An error that OLD does not mention comes from NEW: the mock of OLD accepts the request.
  const breaks = all.flatMap((finding, index) =>
    (!finding.worthALook || isSilentRefusal(finding)) && isOfAClient(suite.contract, finding)
      ? [{ finding, reported: isReported ? report.findings[index] : undefined }]
      : [],
  );
  return { breaks, results, report };
}

/** Whether a client that follows OLD sends what the finding is about, and may rely on the response. */
function isOfAClient(contract: Contract, { law, exchange }: Finding): boolean {
  const { input, operation, request } = exchange;
  if (OF_NO_CLIENT.has(law) || input.refused || input.unknownId || input.guessed) return false;
  const path = pathValues(operation, request.url.pathname);
  if (!path) return true;
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const raw = { path, query: request.url.search.slice(1), headers, body: request.body };
  return compileRequestReader(operation, contract.validators)(raw).violations.length === 0;
}

const OF_STATUS: ReadonlySet<LawName> = new Set(['status', 'example-accepted', 'created-equals-sent']);
const OF_BODY: ReadonlySet<LawName> = new Set([
  'schema',
  'content-type',
  'discriminator',
  'header',
  'whole-json',
]);

/** Whether a rule is about a single response. All others depend on what was stored before. */
function isAboutOneResponse(law: LawName): boolean {
  return law === 'status' || law === 'example-accepted' || OF_BODY.has(law);
}

/**
 * The suite's findings without those that were proven already with fewer requests; one of each cause.
 * @param requestBreaks requests that NEW rejects
 * @param bodies the ids of operations whose responses NEW breaks
 */
export function freshBreaks(
  lawBreaks: readonly SuiteBreak[],
  requestBreaks: readonly Break[],
  bodies: ReadonlySet<string>,
): SuiteBreak[] {
  const refused = new Set(requestBreaks.map(({ operation }) => operation.id));
  const fresh = lawBreaks.filter(({ finding: { law, exchange } }) => {
    const { id } = exchange.operation;
    if (refused.has(id) && (exchange.response.status >= 400 || OF_STATUS.has(law))) return false;
    return !(bodies.has(id) && OF_BODY.has(law));
  });
  const groups = Map.groupBy(fresh, ({ finding }) => causeOf(finding));
  return [...groups.values()].map((group) => shortest(group));
}

function shortest(group: readonly SuiteBreak[]): SuiteBreak {
  const cost = ({ reported, finding }: SuiteBreak) =>
    (finding.steps?.length ?? 1) * 100_000 + (reported?.steps?.join('') ?? reported?.curl ?? '').length;
  return group.toSorted((left, right) => cost(left) - cost(right))[0] as SuiteBreak;
}

/** The reasons by the id of the operation in OLD. */
export type LostRecords = ReadonlyMap<string, string>;

/**
 * Operations whose records only the mock of OLD keeps, since NEW no longer says which collection they belong to, with all
 * that work on the same records. A document need not state what a service stores: for these, only single responses are
 * judged.
 */
export function lostRecords(
  { old, new: next }: Twins,
  contract: Contract,
  pairs: readonly Pair[],
): LostRecords {
  const [before, after] = [old, next].map(
    (mock) => new Map(mock.operations.map((operation) => [operation.id, operation])),
  );
  const lost = new Map<string, string>();
  for (const pair of pairs) {
    const now = pair.new && after?.get(pair.new.id);
    if (now?.action !== 'sample' || before?.get(pair.old.id)?.action === 'sample') continue;
    const related = sharedRecords(contract).filter((operations) => operations.includes(pair.old));
    for (const { id } of [pair.old, ...related.flat()])
      if (!lost.has(id)) lost.set(id, `${pair.old.method} ${pair.old.path}: ${now.reason}`);
  }
  return lost;
}

export function lostRecordWarnings(lost: LostRecords, pairs: readonly Pair[]): Warning[] {
  return pairs.flatMap(({ old, new: next }) => {
    const reason = lost.get(old.id);
    if (reason === undefined || !next) return [];
    const text = `what is stored is not compared, since NEW does not say it any more (${reason})`;
    return [{ operation: old, text, at: placeOf(next.spot) }];
  });
}

/**
 * Separates breaks that the document of NEW causes from those that its mock causes where the document leaves things open:
 * where records are stored, which values are accepted, the form of a credential.
 */
export function compileEvidence(
  contracts: Contracts,
  pairs: readonly Pair[],
  lost: LostRecords,
  address: Address,
): (finding: Finding) => boolean {
  const byId = new Map(pairs.map((pair) => [pair.old.id, pair]));
  const groups = sharedRecords(contracts.new);

  /** Whether NEW states unique values by `x-paddock`: prose may be newer than the behaviour it describes. */
  function statesUnique({ new: next }: Pair): boolean {
    return contracts.new.resources.some(
      (resource, index) =>
        next &&
        groups[index]?.includes(next) &&
        uniqueKeys(resource).some(({ signs }) => signs?.includes('said')),
    );
  }

  function readByNew({ old, new: next }: Pair, { exchange: { request } }: Finding) {
    if (!next) return undefined;
    const [basePath = ''] = old.basePaths;
    const path = request.url.pathname.slice(basePath.length);
    const sent: Sent = {
      method: old.method,
      basePath,
      path,
      query: request.url.search.slice(1),
      headers: request.headers,
      body: request.body,
    };
    return compileRequestReader(next, contracts.new.validators)(rawOf(next, atNew(address, sent)));
  }

  function isOfCredential(pair: Pair, finding: Finding): boolean {
    const { violations = [] } = readByNew(pair, finding) ?? {};
    const requirement = pair.old.security.flat();
    return violations.length > 0 && violations.every((violation) => isCredential(requirement, violation));
  }

  /** NEW contradicts itself: its mock accepts what its document allows, and cannot store it as a record. */
  function isOfRecord(pair: Pair, finding: Finding): boolean {
    const read = readByNew(pair, finding);
    if (!pair.new || !read || read.violations.length > 0) return false;
    return isUnstorable(contracts.new, pair.new, read.body);
  }

  /** Whether the mock of NEW made a response from the complete description. */
  function wasRead({ new: next }: Pair, { exchange: { response } }: Finding): boolean {
    const content = (next && responseFor(next.responses, response.status)?.content) ?? [];
    return content.every(({ schema }) => !schema || wasReadToTheEnd(contracts.new, [schema]));
  }

  return (finding) => {
    const { law, operationId, exchange } = finding;
    const [pair, owner] = [byId.get(exchange.operation.id), byId.get(operationId)];
    if (!pair || pair.isOver) return false;
    if (!isAboutOneResponse(law) && (lost.has(pair.old.id) || (owner && lost.has(owner.old.id))))
      return false;
    const { status } = exchange.response;
    if (law === 'schema' && !wasRead(pair, finding)) return false;
    if (status === 409 && law === 'status' && !statesUnique(pair)) return false;
    if (status >= 400 && isOfCredential(pair, finding)) return false;
    return !(status >= 400 && law === 'status' && isOfRecord(pair, finding));
  };
}
