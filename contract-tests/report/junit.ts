import { LAWS } from '../laws/law.ts';
import type { Report, ReportedCase } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';
import { plainLines } from './words.ts';

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
    `      ${element('failure', { type: first.law, message: `${first.received}; documented: ${first.documented}` })}${content(text.join('\n\n'))}</failure>`,
  ];
}

function skip({ outcome, reason }: ReportedCase): string[] {
  if (outcome !== 'skipped' && outcome !== 'not reached') return [];
  return [`      <skipped message="${attribute(`${outcome}: ${reason ?? ''}`)}"/>`];
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`);
  return `<${name}${pairs.join('')}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader of XML makes a space of a line end in an attribute (XML 1.0 §3.3.3).
  '\n': '&#10;',
};

function attribute(text: string): string {
  return plainLines(text).replace(/[&<>"\n]/g, (sign) => ENTITIES[sign] as string);
}

/** Few signs are replaced: some readers of XML give up over too many entities. */
function content(text: string): string {
  return plainLines(text).replace(/[&<>]/g, (sign) => ENTITIES[sign] as string);
}
