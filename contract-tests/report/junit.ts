import { LAWS } from '../laws/law.ts';
import type { Report, ReportedCase } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';

/** JUnit's XML: a suite for each operation, a test case for each case, skips with their reason. */
export function renderJunit(report: Report): string {
  const operations = [...new Set(report.cases.map(({ operationId }) => operationId))];
  const { totals } = report;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element('testsuites', {
      name: 'paddock',
      tests: totals.cases,
      failures: totals.failed,
      skipped: totals.skipped + totals.notReached,
      time: totals.ms / 1000,
    }),
    ...operations.flatMap((operationId) => suite(report, operationId)),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function suite(report: Report, operationId: string): string[] {
  const cases = report.cases.filter((one) => one.operationId === operationId);
  const count = (...outcomes: ReportedCase['outcome'][]) =>
    cases.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const time = cases.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  return [
    `  ${element('testsuite', { name: operationId, tests: cases.length, failures: count('failed'), errors: 0, skipped: count('skipped', 'not reached'), time })}`,
    ...cases.flatMap((one) =>
      testCase(
        one,
        report.findings.filter(({ caseId }) => caseId === one.id),
      ),
    ),
    '  </testsuite>',
  ];
}

function testCase(one: ReportedCase, findings: readonly ReportedFinding[]): string[] {
  const head = element('testcase', {
    classname: `${one.operationId}.${one.status}`,
    name: one.id,
    time: one.ms / 1000,
  });
  return [`    ${head}`, ...failures(findings), ...skip(one), '    </testcase>'];
}

/** A test case may fail once: further findings follow in its text. */
function failures(findings: readonly ReportedFinding[]): string[] {
  const [first] = findings;
  if (!first) return [];
  const text = findings.map((finding) =>
    [
      LAWS[finding.law],
      `received: ${finding.received}`,
      `documented: ${finding.documented}`,
      `at: ${finding.at}`,
      finding.curl,
    ].join('\n'),
  );
  return [
    `      ${element('failure', { type: first.law, message: `${first.received}; documented: ${first.documented}` })}${escapeXml(text.join('\n\n'))}</failure>`,
  ];
}

function skip({ outcome, reason }: ReportedCase): string[] {
  if (outcome !== 'skipped' && outcome !== 'not reached') return [];
  return [`      <skipped message="${escapeXml(`${outcome}: ${reason ?? ''}`)}"/>`];
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${pairs.join('')}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML 1.0 §2.2 allows no control characters but tab and line ends, and no lone surrogates. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
