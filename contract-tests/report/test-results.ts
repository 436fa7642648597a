import { escapeXmlAttribute, escapeXmlContent } from './escape.ts';
import type { Report, ReportedCase } from './report.ts';
import { type Fact, factsOf, inOneLine, WORTH_A_LOOK } from './view.ts';
import { headline } from './words.ts';

/** A case as test runners report it. */
interface TestResult extends ReportedCase {
  /** The first thing that is wrong, or why the case was not run to its end. */
  readonly message: string | undefined;
  /** A test case may fail once: its text has all findings. */
  readonly failure: { readonly law: string; readonly text: string } | undefined;
}

function testResults({ cases, findings, causes, changes }: Report): TestResult[] {
  const ofCase = Map.groupBy(findings, ({ caseId }) => caseId);
  const titles = new Map(causes.map(({ key, title }) => [key, title]));
  return cases.map((one) => {
    const own = (ofCase.get(one.id) ?? []).map((finding) => {
      return { ...finding, facts: factsOf(finding, changes !== undefined) };
    });
    const held = own.filter(({ worthALook, gates }) => !worthALook || gates);
    const [first] = held;
    const [look] = own;
    const said = look && `${WORTH_A_LOOK.toLowerCase()}: ${inOneLine(look.facts)}`;
    if (!first) return { ...one, message: one.reason ?? said, failure: undefined };
    const texts = held.map(({ root, facts }) =>
      [`root: ${titles.get(root) ?? root}`, ...facts.flatMap(linesOf)].join('\n'),
    );
    return { ...one, message: inOneLine(first.facts), failure: { law: first.law, text: texts.join('\n\n') } };
  });
}

function linesOf({ label, text, at, lines = [] }: Fact): string[] {
  return [`${label}: ${text}${at === undefined ? '' : `, at ${at}`}`.trimEnd(), ...lines];
}

/** JUnit's XML: a suite for each operation, a test case for each case, skips with their reason. */
export function renderJunit(report: Report): string {
  const { totals } = report;
  // Without a time zone, as the schema of JUnit's reports has it; it is UTC.
  const timestamp = report.startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const suites = [...Map.groupBy(testResults(report), ({ operationId }) => operationId)].flatMap(
    ([name, own]) => {
      const count = (...outcomes: ReportedCase['outcome'][]) =>
        own.filter(({ outcome }) => outcomes.includes(outcome)).length;
      const time = own.reduce((sum, { ms }) => sum + ms, 0) / 1000;
      const [failures, skipped] = [count('failed'), count('skipped', 'withheld', 'not reached')];
      const counts = { tests: own.length, failures, errors: 0, skipped };
      return [
        `  ${open('testsuite', { name, timestamp, ...counts, time })}`,
        ...properties(report),
        ...own.flatMap(testCase),
        '  </testsuite>',
      ];
    },
  );
  const all = {
    name: 'paddock',
    timestamp,
    tests: totals.cases,
    failures: totals.failed,
    skipped: totals.skipped + totals.withheld + totals.notReached,
    time: totals.ms / 1000,
  };
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${[head, open('testsuites', all), ...suites, '</testsuites>'].join('\n')}\n`;
}

function properties(report: Report): string[] {
  const { paddock, target, document, documentInfo, seed, verdict, reason } = report;
  const { title, version, digest } = documentInfo;
  const values = {
    paddock,
    verdict,
    headline: headline(report),
    reason: reason ?? '',
    target,
    seed,
    document,
    'document.title': title,
    'document.version': version,
    'document.digest': digest,
  };
  const elements = Object.entries(values).map(
    ([name, value]) => `      ${open('property', { name, value }).replace(/>$/, '/>')}`,
  );
  return ['    <properties>', ...elements, '    </properties>'];
}

function testCase({ id: name, operationId, status, ms, outcome, reason, message = '', failure }: TestResult) {
  const isSkipped = outcome !== 'passed' && outcome !== 'failed';
  return [
    `    ${open('testcase', { classname: `${operationId}.${status}`, name, time: ms / 1000 })}`,
    ...(failure
      ? [
          `      ${open('failure', { type: failure.law, message })}${escapeXmlContent(failure.text)}</failure>`,
        ]
      : []),
    ...(outcome === 'passed' && message !== ''
      ? [`      <system-out>${escapeXmlContent(message)}</system-out>`]
      : []),
    ...(isSkipped ? [`      <skipped message="${escapeXmlAttribute(`${outcome}: ${reason ?? ''}`)}"/>`] : []),
    '    </testcase>',
  ];
}

function open(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXmlAttribute(String(value))}"`,
  );
  return `<${name}${pairs.join('')}>`;
}

const CTRF_STATUSES = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  withheld: 'skipped',
  planned: 'pending',
  'not reached': 'other',
} as const;

/** Common Test Report Format (ctrf.io, version 0.0): JSON that comments and dashboards of CI services read. */
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
