import type { Observation, Report, ReportedFinding } from '#contract-tests';
import {
  excerptAt,
  groupByCause,
  isAbout,
  type KnownFinding,
  keyAt,
  knownUntilDay,
  sourceAround,
} from '#report-parts';
import { type Contract, parseFragment, placeOf, rawChild, showPlace, toPointer } from '#spec';
import type { Break } from './break.ts';
import type { Compared } from './compare.ts';
import { KEY, type Sent } from './draft.ts';
import type { Answer } from './twins.ts';

/**
 * The result of a comparison, in the form of the suite's report: `target` is NEW, a finding a breaking change, a notice a
 * warning.
 * @param known breaking changes that are accepted for a time
 */
export function makeReport(compared: Compared, newName: string, known: readonly KnownFinding[]): Report {
  const { breaks, suiteBreaks, warnings, run, requests, contracts, address, strictStability } = compared;
  const findings = withKnown(
    [
      ...breaks.map((one) => reportBreak(contracts.old, address.basePath, strictStability, one)),
      ...suiteBreaks.flatMap(({ reported }) => (reported ? [inBoth(contracts.new, atMock(reported))] : [])),
    ],
    known,
  );
  const { verdict, reason } = judge(compared, findings);
  return {
    ...run.report,
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    target: newName,
    cells: cellsOf(compared, findings),
    findings,
    causes: groupByCause(findings),
    baseline: undefined,
    notSpecified: [],
    notices: [
      ...warnings.map(({ operation, text, at }) => ({
        caseId: `${operation.id}/compat`,
        operationId: operation.id,
        text: `${text} (${showPlace(at)})`,
      })),
      // What was not looked for is not known to be gone.
      ...(compared.stopped === undefined ? judgeEntries(findings, known) : []),
    ],
    totals: { ...run.report.totals, requests: run.report.totals.requests + requests },
  };
}

/** Why the suite has not tried an operation: nor is anything else that works on its records another one. */
export const SAME = 'it is the same in both documents';

const EXIT_CODES = { holds: 0, broken: 1, incomplete: 4 } as const;

function judge({ stopped, untried: [first] }: Compared, findings: readonly ReportedFinding[]) {
  if (findings.some(({ gates }) => gates)) return { verdict: 'broken' as const, reason: stopped };
  if (stopped !== undefined) return { verdict: 'incomplete' as const, reason: stopped };
  if (first === undefined) return { verdict: 'holds' as const, reason: undefined };
  const reason = `no request to ${first} succeeded, and it has changed`;
  return { verdict: 'incomplete' as const, reason };
}

/** The cells of success: what a client relies on. */
function cellsOf(
  { run: { report }, affected }: Compared,
  findings: readonly ReportedFinding[],
): Report['cells'] {
  const broken = Map.groupBy(
    findings.filter(({ gates }) => gates),
    ({ operationId }) => operationId,
  );
  return report.cells
    .filter(({ status }) => status < 400)
    .map((cell) => {
      const [finding] = broken.get(cell.operationId) ?? [];
      if (finding) return { ...cell, verdict: 'violated' as const, reason: finding.received };
      if (!affected.has(cell.operationId)) return { ...cell, verdict: 'skipped' as const, reason: SAME };
      return cell.verdict === 'violated' ? { ...cell, verdict: 'covered' as const, reason: undefined } : cell;
    });
}

/** The line of NEW that stands where OLD makes the promise, as far as it goes. */
function inBoth({ document: { root } }: Contract, finding: ReportedFinding): ReportedFinding {
  let here = root;
  for (const step of parseFragment(finding.pointer) ?? []) {
    const next = rawChild(here, step);
    if (!next) break;
    here = next;
  }
  return { ...finding, received: `${finding.received} (${showPlace(placeOf(here))})` };
}

/** The suite has sent its requests to a mock without a port. */
function atMock(finding: ReportedFinding): ReportedFinding {
  const moved = (text: string) => text.replaceAll('http://localhost/', `${ORIGIN}/`);
  return {
    ...finding,
    curl: moved(finding.curl),
    steps: finding.steps?.map(moved),
    request: moved(finding.request),
  };
}

/** Findings with the day until which they are accepted. */
function withKnown(findings: readonly ReportedFinding[], known: readonly KnownFinding[]): ReportedFinding[] {
  return findings.map((finding) => {
    const knownUntil = knownUntilDay({ known }, finding);
    return knownUntil === undefined ? finding : { ...finding, knownUntil, gates: false };
  });
}

/** Entries whose break is no longer there, and those whose time is over. */
function judgeEntries(findings: readonly ReportedFinding[], known: readonly KnownFinding[]): Observation[] {
  return known.flatMap((entry) => {
    const { key, case: caseId = '', until } = entry;
    const found = findings.filter((one) => isAbout(entry, one));
    const [first] = found;
    const observe = (text: string) => [
      { caseId, operationId: first?.operationId ?? '', text: `${key ?? caseId} (--known): ${text}` },
    ];
    if (!first) return observe('there is no such break any more; remove the entry');
    return found.every(({ knownUntil }) => knownUntil === undefined)
      ? observe(`the entry expired on ${until}; the break counts again`)
      : [];
  });
}

const UNSTABLE = new Set(['experimental', 'beta']);

/** A break in the form of the suite's findings: the line of OLD is its place, that of NEW stands behind what NEW does. */
function reportBreak(old: Contract, basePath: string, strictStability: boolean, one: Break): ReportedFinding {
  const { operation, status, law, received, documented, at, newAt, oldSpot, request, answers } = one;
  const pointer = toPointer(oldSpot.path);
  const key = keyAt(old, { law }, at.uri, pointer);
  return {
    key,
    root: key,
    caseId: `${operation.id}/${status}/compat`,
    operationId: operation.id,
    law,
    received: `${received} (${showPlace(newAt)})`,
    documented,
    at: showPlace(at),
    pointer,
    curl: request ? commandOf(request, basePath) : '',
    steps: undefined,
    gates: strictStability || !UNSTABLE.has(operation.stability ?? ''),
    knownUntil: undefined,
    isNew: undefined,
    place: { uri: at.uri, line: at.line, column: at.column },
    source: sourceAround(old, at),
    excerpt: excerptAt(old, at),
    request: request ? showRequest(request) : '',
    response: answers?.new ? showAnswer(answers.new) : '',
  };
}

function showRequest({ method, path, query, headers, body }: Sent): string {
  const encoded = Buffer.from(KEY).toString('base64');
  const shown = headers.map(
    ([name, value]) => `${name}: ${value.replace(KEY, '***').replace(encoded, '***')}`,
  );
  const text = body ? ['', Buffer.from(body).toString()] : [];
  return [
    `${method} ${path}${query === '' ? '' : `?${query.replace(encodeURIComponent(KEY), '***')}`}`,
    ...shown,
    ...text,
  ].join('\n');
}

function showAnswer({ status, contentType, text }: Answer): string {
  return [`HTTP ${status}`, `content-type: ${contentType}`, '', text.slice(0, 2000)].join('\n');
}

/** Where `paddock mock NEW` listens by default. */
const ORIGIN = 'http://127.0.0.1:4020';

/** A curl command for a POSIX shell that sends a request to a mock of NEW, with the key in `$PADDOCK_API_KEY`. */
function commandOf({ method, path, query, headers, body }: Sent, basePath: string): string {
  const url = `${ORIGIN}${basePath}${path}${query === '' ? '' : `?${query}`}`;
  const basic = `Basic ${Buffer.from(KEY).toString('base64')}`;
  const words = ['curl', '-i', ...(method === (body ? 'POST' : 'GET') ? [] : ['-X', method]), keyed(url)];
  for (const [name, value] of headers)
    if (value === basic) words.push('-u', '"$PADDOCK_API_KEY"');
    else words.push('-H', keyed(value === '' ? `${name};` : `${name}: ${value}`));
  if (!body) return words.join(' ');
  const text = Buffer.from(body).toString();
  if (/^[^\p{Cc}]*$/u.test(text) && Buffer.from(text).equals(body))
    return [...words, '--data-raw', quoted(text)].join(' ');
  const encoded = Buffer.from(body).toString('base64');
  return `printf ${encoded} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In single quotes, but for the key. */
function keyed(text: string): string {
  const parts = text.split(new RegExp(`${KEY}|${encodeURIComponent(KEY)}`));
  return parts
    .map((part) => (part === '' && parts.length > 1 ? '' : quoted(part)))
    .join('"$PADDOCK_API_KEY"');
}
