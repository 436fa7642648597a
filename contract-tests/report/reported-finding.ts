import { isRecord, isSecretHeader, maskHeader, maskQuery, showPlace, stringifyJson } from '#spec';
import { equalJson } from '../laws/compare-records.ts';
import { type Finding, pointerAt } from '../laws/finding.ts';
import type { LawName } from '../laws/law.ts';
import { recordsOf } from '../laws/list-page.ts';
import { roleOf } from '../laws/operation-role.ts';
import type { Run } from '../run/run.ts';
import { curlOf, linesOf } from '../send/curl.ts';
import { type Exchange, jsonOf } from '../send/response.ts';
import { createCommandRedactor, createRedactor, MASK, type Redact, redactAll } from './redact.ts';
import { counts, gates } from './verdict.ts';

/** A finding as data, with all that is needed to understand and reproduce it. */
export interface ReportedFinding {
  /** Its identity in any run: law, kind of breach and place in the document. */
  readonly key: string;
  /** A case that has seen it: an example. */
  readonly caseId: string;
  readonly operationId: string;
  readonly law: LawName;
  readonly received: string;
  readonly documented: string;
  /** File (or URL) and line of the document. */
  readonly at: string;
  /** JSON Pointer (RFC 6901) of the place within its file. */
  readonly pointer: string;
  /** A command for a POSIX shell, with the key in `$PADDOCK_API_KEY`. */
  readonly curl: string;
  /** Lines for a POSIX shell that reproduce it from nothing, where one request does not. */
  readonly steps: readonly string[] | undefined;
  /** False: it does not change the exit code, since its operation is unstable, or the finding known or an old one. */
  readonly gates: boolean;
  readonly knownUntil: string | undefined;
  /** Whether the report given with `--baseline` lacks it. */
  readonly isNew: boolean | undefined;
  /** How many exchanges of observed traffic have shown it; undefined: it is of a run of the suite. */
  readonly times?: number;
  readonly place: { readonly uri: string; readonly line: number; readonly column: number };
  /** The lines of the document around the place. */
  readonly source: readonly SourceLine[];
  readonly request: string;
  readonly response: string;
}

export interface SourceLine {
  readonly line: number;
  readonly text: string;
}

/** One command, or as many lines as it takes. */
export function reproductionOf({ curl, steps }: Pick<ReportedFinding, 'curl' | 'steps'>): string {
  return steps?.join('\n') ?? curl;
}

const LINES_AROUND = 3;
const LONGEST_BODY = 2000;

/** What a run is about, and how it was asked for. */
type JudgedRun = Pick<Run, 'contract' | 'settings'>;

/** Makes findings data for reports, without the run's credentials. */
export function findingReporter(run: JudgedRun): (finding: Finding) => ReportedFinding {
  const { contract, settings } = run;
  const redact = createRedactor(settings);
  const redactCommand = createCommandRedactor(
    settings,
    [...contract.document.files.values()].map(({ text }) => text),
  );
  /** What the target issues is secret, too: a session, say. */
  const redactorOf = ({ exchange }: Finding): Redact => {
    const issued = exchange.response.headers.filter(([name]) => isSecretHeader(name));
    return issued.length === 0 ? redact : createRedactor(settings, undefined, issued);
  };
  return (finding) => ({
    ...redactAll(reportFinding(run, finding), redactorOf(finding)),
    curl: curlOf(finding.exchange.request, redactCommand),
    steps: finding.steps && linesOf(finding.steps, redactCommand),
  });
}

function reportFinding(run: JudgedRun, finding: Finding): Omit<ReportedFinding, 'curl' | 'steps'> {
  const { contract, settings } = run;
  const { key, caseId, operationId, law, received, documented, at, exchange, knownUntil, isNew } = finding;
  return {
    key,
    caseId,
    operationId,
    law,
    received,
    documented,
    at: showPlace(at),
    pointer: pointerAt(contract, at),
    gates:
      counts(finding, settings) &&
      contract.operations.some((one) => one.id === operationId && gates(one, settings)),
    knownUntil,
    isNew,
    place: { uri: at.uri, line: at.line, column: at.column },
    source: sourceAround(run, at.uri, at.line),
    request: showRequest(exchange),
    response: showResponse(run, finding),
  };
}

function sourceAround({ contract }: JudgedRun, uri: string, line: number): SourceLine[] {
  const file = [...contract.document.files.values()].find((one) => one.uri === uri);
  const lines = file ? linesIn(file) : [];
  const first = Math.max(1, line - LINES_AROUND);
  return lines.slice(first - 1, line + LINES_AROUND).map((text, index) => ({ line: first + index, text }));
}

type SourceFile = ReturnType<Run['contract']['document']['files']['get']> & object;

const linesOfFiles = new WeakMap<SourceFile, readonly string[]>();

/** Split once: a document may have megabytes, and a run hundreds of findings. */
function linesIn(file: SourceFile): readonly string[] {
  const known = linesOfFiles.get(file) ?? file.text.split(/\r?\n/);
  linesOfFiles.set(file, known);
  return known;
}

function showRequest({ request }: Exchange): string {
  const head = [`${request.method} ${maskQuery(request.url.href, MASK)}`, ...request.headers.map(showHeader)];
  return [...head, ...(request.body ? ['', cut(Buffer.from(request.body).toString())] : [])].join('\n');
}

function showHeader([name, value]: readonly [name: string, value: string]): string {
  return `${name}: ${maskHeader(name, value, MASK)}`;
}

function showResponse(run: JudgedRun, { exchange: { operation, response }, about }: Finding): string {
  const head = [`HTTP ${response.status}`, ...response.headers.map(showHeader)];
  return [...head, '', cut(bodyOf(run, operation, response, about))].join('\n');
}

/**
 * Of a list only the records concerned are kept, or some where it is the list that is wrong: a report is no copy of
 * the target's data.
 */
function bodyOf(
  run: JudgedRun,
  operation: Exchange['operation'],
  response: Exchange['response'],
  about: Finding['about'],
): string {
  const list = roleOf(run.contract, operation)?.resource.list;
  const body = jsonOf(response);
  if (!list || !(Array.isArray(body) || isRecord(body)))
    return response.text ?? `${response.body.length} bytes that are no text`;
  const records = recordsOf(list, body);
  const concerned = records.filter((record) => about?.some((one) => equalJson(one, record)));
  const shown = (concerned.length > 0 ? concerned : records).slice(0, KEPT_RECORDS);
  if (shown.length === records.length) return response.text ?? '';
  const which = concerned.length > 0 ? `${concerned.length} concerned, of ` : '';
  return `${shown.map((record) => stringifyJson(record)).join('\n')}\n… (${which}${records.length} records in all)`;
}

const KEPT_RECORDS = 3;

function cut(text: string): string {
  return text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}… (${text.length} characters)`;
}

/** What is broken: one law in one way at one place of the document, however many cases have seen it. */
export interface Cause {
  /** That of its findings. */
  readonly key: string;
  readonly law: LawName;
  readonly at: string;
  /** JSON Pointer of the place. */
  readonly pointer: string;
  /** False: none of its findings gates. */
  readonly gates: boolean;
  /** Accepted until that day, by all of its findings. */
  readonly knownUntil: string | undefined;
  /** The finding with the shortest reproduction, as an index into `findings`. */
  readonly finding: number;
  readonly received: string;
  readonly documented: string;
  readonly curl: string;
  readonly steps: readonly string[] | undefined;
  /** The ids of the cases that have seen it. */
  readonly cases: readonly string[];
}

/** Groups findings by cause, those that gate first. */
export function groupByCause(findings: readonly ReportedFinding[]): Cause[] {
  const groups = Map.groupBy(findings, ({ key }) => key);
  const causes = [...groups.values()].map((group) => causeOf(group, findings));
  return causes.sort((one, other) => Number(other.gates) - Number(one.gates));
}

function causeOf(group: readonly ReportedFinding[], findings: readonly ReportedFinding[]): Cause {
  const [shown] = group.toSorted(byReproduction) as [ReportedFinding];
  const { key, law, at, pointer, received, documented, curl, steps } = shown;
  const known = group.map(({ knownUntil }) => knownUntil ?? '').sort();
  return {
    key,
    law,
    at,
    pointer,
    gates: group.some(({ gates }) => gates),
    knownUntil: known[0] || undefined,
    finding: findings.indexOf(shown),
    received,
    documented,
    curl,
    steps,
    cases: [...new Set(group.map(({ caseId }) => caseId))],
  };
}

/** Those that gate first, then the fewest requests, then the shortest. */
function byReproduction(one: ReportedFinding, other: ReportedFinding): number {
  return (
    Number(other.gates) - Number(one.gates) ||
    requestsIn(one) - requestsIn(other) ||
    reproductionOf(one).length - reproductionOf(other).length
  );
}

function requestsIn({ steps = [] }: ReportedFinding): number {
  return Math.max(1, steps.length);
}
