import { promiseOf } from '../laws/law.ts';
import { escapeXmlAttribute, escapeXmlContent } from './escape.ts';
import type { Report, ReportedCase } from './report.ts';
import { type ReportedFinding, reproductionOf, shownPlace } from './reported-finding.ts';
import { headline } from './summary.ts';

/** JUnit's XML: a suite for each operation, a test case for each case, skips with their reason. */
export function renderJunit(report: Report): string {
  const { cases, findings, totals } = report;
  // Without a time zone, as the schema of JUnit's reports has it; it is UTC.
  const timestamp = report.startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const ofCase = Map.groupBy(findings, ({ caseId }) => caseId);
  const titles = new Map(report.causes.map(({ key, title }) => [key, title]));
  const suites = [...Map.groupBy(cases, ({ operationId }) => operationId)].flatMap(([name, own]) => {
    const count = (...outcomes: ReportedCase['outcome'][]) =>
      own.filter(({ outcome }) => outcomes.includes(outcome)).length;
    const time = own.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    const [failures, skipped] = [count('failed'), count('skipped', 'withheld', 'not reached')];
    const counts = { tests: own.length, failures, errors: 0, skipped };
    return [
      `  ${open('testsuite', { name, timestamp, ...counts, time })}`,
      ...properties(report),
      ...own.flatMap((one) => testCase(one, ofCase.get(one.id) ?? [], titles)),
      '  </testsuite>',
    ];
  });
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

/** The titles of causes, by their keys. */
type Titles = ReadonlyMap<string, string>;

function testCase(one: ReportedCase, findings: readonly ReportedFinding[], titles: Titles): string[] {
  const { id: name, operationId, status, ms, outcome, reason } = one;
  const isSkipped = outcome !== 'passed' && outcome !== 'failed';
  return [
    `    ${open('testcase', { classname: `${operationId}.${status}`, name, time: ms / 1000 })}`,
    ...failure(findings, titles),
    ...(isSkipped ? [`      <skipped message="${escapeXmlAttribute(`${outcome}: ${reason ?? ''}`)}"/>`] : []),
    '    </testcase>',
  ];
}

/** A test case may fail once: further findings follow in its text. */
function failure(findings: readonly ReportedFinding[], titles: Titles): string[] {
  const [first] = findings;
  if (!first) return [];
  const text = findings.map((one) =>
    [
      promiseOf(one),
      `root: ${titles.get(one.root) ?? one.root}`,
      `received: ${one.received}`,
      `documented: ${one.documented}`,
      `at: ${shownPlace(one)}`,
      reproductionOf(one),
    ].join('\n'),
  );
  const message = `${first.received}; documented: ${first.documented}`;
  const start = open('failure', { type: first.law, message });
  return [`      ${start}${escapeXmlContent(text.join('\n\n'))}</failure>`];
}

function open(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXmlAttribute(String(value))}"`,
  );
  return `<${name}${pairs.join('')}>`;
}
