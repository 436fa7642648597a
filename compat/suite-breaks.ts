import {
  type CaseResult,
  type Finding,
  type LawName,
  prepare,
  type Report,
  type ReportedFinding,
} from '#contract-tests';
import { type Contract, compileRequestReader, type Operation } from '#spec';
import { KEY } from './draft.ts';
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
  readonly seed: number;
  readonly examples: number;
  /** In seconds. */
  readonly maxTime: number;
  readonly signal: AbortSignal | undefined;
}

/** The suite of OLD judges a mock of NEW, and one of OLD: what it says of both is not a change. */
export async function runSuite(
  location: { readonly document: string; readonly allowRefs: readonly string[] },
  twins: Twins,
  options: SuiteOptions,
): Promise<SuiteRun> {
  await twins.new.reset();
  const run = await judge(location, twins.new, options);
  if (run.breaks.length === 0) return run;
  await twins.old.reset();
  const usual = new Set(
    (await judge(location, twins.old, options)).breaks.map(({ finding }) => causeOf(finding)),
  );
  return { ...run, breaks: run.breaks.filter(({ finding }) => !usual.has(causeOf(finding))) };
}

function causeOf({ operationId, law, at }: Finding): string {
  return `${operationId} ${law} ${at.uri}:${at.line}:${at.column}`;
}

async function judge(
  { document, allowRefs }: { readonly document: string; readonly allowRefs: readonly string[] },
  mock: Twins['old'],
  { signal, ...options }: SuiteOptions,
): Promise<SuiteRun> {
  const suite = await prepare({
    ...options,
    target: mock.url,
    document,
    allowRefs,
    fetch: mock.fetch,
    apiKey: KEY,
    // One after another and with nothing repeated: two runs are to differ in the documents alone.
    jobs: 1,
    races: false,
    settle: 0,
    retries: 0,
    probeKey: false,
    ...(signal && { signal }),
  });
  const results: CaseResult[] = [];
  for (const one of suite.cases) results.push(await suite.execute(one));
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
  const read = compileRequestReader(operation, contract.validators);
  const raw = rawOfUrl(operation, request.url);
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return raw === undefined || read({ ...raw, headers, body: request.body }).violations.length === 0;
}

/** The base path of NEW, which precedes the path, may be another one. */
function rawOfUrl({ path }: Operation, url: URL) {
  const pattern = path
    .split(/\{[^}]+\}/)
    .map((text) => text.replace(/[\\^$.*+?()[\]|{}]/g, '\\$&'))
    .join('([^/]*)');
  const texts = new RegExp(`${pattern}$`).exec(url.pathname)?.slice(1);
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  if (!texts) return undefined;
  return {
    path: Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ''])),
    query: url.search.slice(1),
  };
}
