import { LAWS, type ReportedFinding } from '#contract-tests';
import { printable } from './terminal.ts';

/** What a finding is printed as when it is first seen, without the last line end. */
export type FindingLine = (finding: ReportedFinding) => string;

const RED = '\x1b[31m';
const DIM = '\x1b[2m';
const PLAIN = '\x1b[0m';

/** A line for people. */
export function compileFindingLine(coloured: boolean): FindingLine {
  const paint = (colour: string, text: string) => (coloured ? `${colour}${text}${PLAIN}` : text);
  return ({ caseId, law, received, documented, at, gates }) => {
    const [operation = '', status = ''] = caseId.split('/').slice(-3);
    const head = paint(RED, gates ? 'broken' : 'broken (does not gate)');
    const what = `${operation} ${status}: ${LAWS[law]}: received ${received}; documented ${documented}`;
    return `${head} ${oneLine(what)} ${paint(DIM, `(${oneLine(at)})`)}`;
  };
}

function oneLine(text: string): string {
  return printable(text).replace(/\s*\n\s*/g, ' ');
}

/** JSON for programs; `at` is the current time, `place` that in the document. */
export function findingJson(finding: ReportedFinding, at = new Date()): string {
  const { caseId, operationId, law, received, documented, gates, at: place, curl } = finding;
  const type = 'finding';
  return JSON.stringify({
    type,
    at: at.toISOString(),
    ...{ caseId, operationId, law, received, documented, place, gates, curl },
  });
}
