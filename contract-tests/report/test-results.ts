import { escapeXmlAttribute, escapeXmlContent } from './escape.ts';
import type { Report, ReportedCase } from './report.ts';
import { type Fact, factsOf, inOneLine, WORTH_A_LOOK } from './view.ts';
import { headline } from './words.ts';

/** A case in the form of test runners. */
interface TestResult extends ReportedCase {
  /** The first problem, or why the case was not completed. */
  readonly message: string | undefined;
  /** A test case has a single failure: its text contains all findings. */
  readonly failure: { readonly law: string; readonly text: string } | undefined;
}

function testResults({ cases, findings, causes, changes }: Report): TestResult[] {
  const ofCase = Map.groupBy(findings, ({ caseId }) => caseId);
  const titles = new Map(causes.map(({ key, title }) => [key, title]));
  return cases.map((one) => {
    const caseFindings = (ofCase.get(one.id) ?? []).map((finding) => {
      return { ...finding, facts: factsOf(finding, changes !== undefined) };
    });
    const held = caseFindings.filter(({ worthALook, gates }) => !worthALook || gates);
    const [first] = held;
    const [look] = caseFindings;
    const note = look && `${WORTH_A_LOOK.toLowerCase()}: ${inOneLine(look.facts)}`;
    if (!first) return { ...one, message: one.reason ?? note, failure: undefined };
    const texts = held.map(({ root, facts }) =>
      [`root: ${titles.get(root) ?? root}`, ...facts.flatMap(linesOf)].join('\n'),
    );
    return { ...one, message: inOneLine(first.facts), failure: { law: first.law, text: texts.join('\n\n') } };
  });
}

function linesOf({ label, text, at, lines = [] }: Fact): string[] {
  return [`${label}: ${text}${at === undefined ? '' : `, at ${at}`}`.trimEnd(), ...lines];
}

/** JUnit XML: a suite for each operation, a test case for each case, skips with their reason. */
export function renderJunit(report: Report): string {
  const { totals, paddock, target, document, documentInfo, seed, verdict, reason = '' } = report;
  // UTC without a time zone, as JUnit's schema requires.
  const timestamp = report.startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const { title, version, digest } = documentInfo;
  const about = {
    paddock,
    verdict,
    headline: headline(report),
    reason,
    target,
    seed,
    document,
    'document.title': title,
    'document.version': version,
    'document.digest': digest,
  };
  const properties = Object.entries(about).map(([name, value]) => element('property', { name, value }));
  const groups = Map.groupBy(testResults(report), ({ operationId }) => operationId);
  const suites = [...groups].map(([name, results]) => {
    const count = (...outcomes: ReportedCase['outcome'][]) =>
      results.filter(({ outcome }) => outcomes.includes(outcome)).length;
    const counts = {
      tests: results.length,
      failures: count('failed'),
      errors: 0,
      skipped: count('skipped', 'withheld', 'not reached'),
      time: results.reduce((sum, { ms }) => sum + ms, 0) / 1000,
    };
    const parts = [element('properties', {}, properties), ...results.map(testCase)];
    return element('testsuite', { name, timestamp, ...counts }, parts);
  });
  const all = {
    name: 'paddock',
    timestamp,
    tests: totals.cases,
    failures: totals.failed,
    skipped: totals.skipped + totals.withheld + totals.notReached,
    time: totals.ms / 1000,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites)}\n`;
}

function testCase({
  id: name,
  operationId,
  status,
  ms,
  outcome,
  reason = '',
  message = '',
  failure,
}: TestResult) {
  const attributes = { classname: `${operationId}.${status}`, name, time: ms / 1000 };
  if (failure) {
    const { law: type, text } = failure;
    return element('testcase', attributes, [element('failure', { type, message }, escapeXmlContent(text))]);
  }
  if (outcome !== 'passed' && outcome !== 'failed')
    return element('testcase', attributes, [element('skipped', { message: `${outcome}: ${reason}` })]);
  const output = message === '' ? [] : [element('system-out', {}, escapeXmlContent(message))];
  return element('testcase', attributes, output);
}

/** @param content text as XML, or elements on separate lines */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly string[] = [],
): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXmlAttribute(String(value))}"`,
  );
  const start = `<${name}${pairs.join('')}`;
  if (content.length === 0) return `${start}/>`;
  return `${start}>${typeof content === 'string' ? content : `\n${content.join('\n')}\n`}</${name}>`;
}

const CTRF_STATUSES = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  withheld: 'skipped',
  planned: 'pending',
  'not reached': 'other',
} as const;

/** Common Test Report Format (ctrf.io, version 0.0): JSON for comments and dashboards of CI services. */
export function renderCtrf(report: Report): string {
  const { cases, totals, paddock, startedAt, documentInfo, target } = report;
  const start = Date.parse(startedAt);
  const results = {
    tool: { name: 'paddock', version: paddock },
    summary: {
      tests: totals.cases,
      passed: totals.passed,
      failed: totals.failed,
      skipped: totals.skipped + totals.withheld,
      pending: cases.filter(({ outcome }) => outcome === 'planned').length,
      other: totals.notReached,
      start,
      stop: start + totals.ms,
      duration: totals.ms,
    },
    tests: testResults(report).map(({ id, operationId, outcome, ms, message, failure }) => ({
      name: id,
      status: CTRF_STATUSES[outcome],
      duration: ms,
      suite: [operationId],
      ...(message !== undefined && { message }),
      ...(failure && { trace: failure.text }),
    })),
    environment: {
      appName: documentInfo.title,
      appVersion: documentInfo.version,
      extra: { target, startedAt, digest: documentInfo.digest },
    },
  };
  return `${JSON.stringify({ reportFormat: 'CTRF', specVersion: '0.0.0', results }, null, 2)}\n`;
}
