import { LAWS } from '../laws/law.ts';
import type { Report } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';

/** SARIF 2.1.0 (OASIS): each finding with its region of the document, each law as a rule. */
export function renderSarif(report: Report): string {
  const rules = Object.entries(LAWS).map(([id, text]) => ({ id, shortDescription: { text } }));
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'paddock', rules } },
        invocations: [{ executionSuccessful: report.verdict !== 'no verdict', exitCode: report.exitCode }],
        results: report.findings.map(toResult),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toResult(finding: ReportedFinding) {
  const { caseId, law, received, documented, place, curl, gates } = finding;
  return {
    ruleId: law,
    ruleIndex: Object.keys(LAWS).indexOf(law),
    level: gates ? 'error' : 'note',
    message: { text: `${caseId}: received ${received}; documented ${documented}. See it again: ${curl}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(place.uri) },
          region: { startLine: place.line, startColumn: place.column },
        },
      },
    ],
    // What stays the same from run to run, so that a finding is not reported as new each time.
    partialFingerprints: { 'caseAndLaw/v1': `${caseId} ${law}` },
  };
}
