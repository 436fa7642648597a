import {
  type CaseResult,
  type Finding,
  type LawName,
  prepare,
  type Report,
  type ReportedFinding,
} from '#contract-tests';
import { type Contract, compileRequestReader, type LoadOptions } from '#spec';
import { KEY, pathValues } from './draft.ts';
import type { Pace } from './pace.ts';
import type { Twins } from './twins.ts';

/** A finding of OLD's suite about NEW, with its form for reports. */
export interface SuiteBreak {
  readonly finding: Finding;
  readonly reported: ReportedFinding | undefined;
}

export interface SuiteRun {
  readonly breaks: readonly SuiteBreak[];
  readonly results: readonly CaseResult[];
  readonly report: Report;
}

/** What OLD says of requests that no client of it sends: that NEW takes more breaks none. */
const ABOUT_INVALID: ReadonlySet<LawName> = new Set([
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
  /** Of OLD, as it was read for the comparison. */
  readonly document: string;
  readonly reading: LoadOptions;
  readonly seed: number;
  readonly examples: number;
  readonly strictStability: boolean;
  readonly signal: AbortSignal | undefined;
  /** The ids of the operations whose cases are run. */
  readonly affected: ReadonlySet<string>;
  readonly pace: Pace;
  readonly onProgress: (done: number, total: number, what: string) => void;
}

/** The suite of OLD judges a mock of NEW, and one of OLD: what it says of both is not a change. */
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
    // What time did not allow to compare is told by nobody.
    breaks: run.breaks.filter(
      ({ finding }) =>
        !causes.has(causeOf(finding)) && (tried.has(finding.caseId) || !options.pace.stopped()),
    ),
  };
}

function causeOf({ operationId, law, at }: Finding): string {
  return `${operationId} ${law} ${at.uri}:${at.line}:${at.column}`;
}

async function judge(mock: Twins['old'], target: string, options: SuiteOptions): Promise<SuiteRun> {
  const { document, reading, seed, examples, strictStability, signal, affected, pace, onProgress } = options;
  const suite = await prepare({
    ...reading,
    seed,
    examples,
    strictStability,
    maxTime: pace.left(),
    target,
    document,
    fetch: mock.fetch,
    apiKey: KEY,
    // The mock is the comparison's own.
    allow: ['all'],
    // One after another and with nothing repeated: two runs are to differ in the documents alone.
    jobs: 1,
    races: false,
    settle: 0,
    retries: 0,
    probeKey: false,
    ...(signal && { signal }),
  });
  const cases = suite.cases.filter(({ operation }) => affected.has(operation.id));
  const results: CaseResult[] = [];
  for (const one of cases) {
    if (pace.stopped()) break;
    onProgress(results.length, cases.length, one.id);
    results.push(await suite.execute(one));
    await pace.breathe();
  }
  const report = await suite.finish();
  const all = results.flatMap(({ findings }) => findings);
  // A target that answers nothing as documented is taken for another service, and its findings are not told.
  const isTold = report.findings.length === all.length;
  const breaks = all.flatMap((finding, index) =>
    isOfAClient(suite.contract, finding)
      ? [{ finding, reported: isTold ? report.findings[index] : undefined }]
      : [],
  );
  return { breaks, results, report };
}

/** Whether a client that keeps OLD sends what the finding is about, and may rely on the answer. */
function isOfAClient(contract: Contract, { law, exchange }: Finding): boolean {
  const { input, operation, request } = exchange;
  if (ABOUT_INVALID.has(law) || input.refused || input.unknownId || input.guessed) return false;
  const path = pathValues(operation, request.url.pathname);
  if (!path) return true;
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const raw = { path, query: request.url.search.slice(1), headers, body: request.body };
  return compileRequestReader(operation, contract.validators)(raw).violations.length === 0;
}
