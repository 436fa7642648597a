import type { LAWS, ReportedFinding } from '#contract-tests';
import type { InvalidRequest, SeenExchange } from '#proxy';
import { printable } from './terminal.ts';

const RED = '\x1b[31m';
const YELLOW = '\x1b[33m';
const DIM = '\x1b[2m';
const PLAIN = '\x1b[0m';

/** What a finding is logged as when it is first seen: a line for people. */
export function compileFindingLine(
  laws: typeof LAWS,
  coloured: boolean,
): (finding: ReportedFinding) => string {
  const paint = (colour: string, text: string) => (coloured ? `${colour}${text}${PLAIN}` : text);
  return ({ caseId, law, received, documented, at, gates }) => {
    const [operation = '', status = ''] = caseId.split('/').slice(-3);
    const head = paint(RED, gates ? 'broken' : 'broken (does not gate)');
    const what = `${operation} ${status}: ${laws[law]}: received ${received}; documented ${documented}`;
    return `${head} ${oneLine(what)} ${paint(DIM, `(${oneLine(at)})`)}`;
  };
}

/** What a request that is not as documented is logged as: a line for people. */
export function compileInvalidLine(coloured: boolean): (request: InvalidRequest, name: string) => string {
  const paint = (colour: string, text: string) => (coloured ? `${colour}${text}${PLAIN}` : text);
  return ({ kind, method, target, reason, at, times, refused }, name) => {
    const head = paint(YELLOW, kind + (refused === undefined ? '' : `, refused with ${refused}`));
    const what = `${name === '' ? '' : `${name}: `}${method} ${target}: ${reason}`;
    return `${head} ${oneLine(what)} ${paint(DIM, `(${oneLine(at)})`)}${times > 1 ? ` (${times} times)` : ''}`;
  };
}

/** JSON for programs; `at` is the current time, `place` that in the document. */
export function invalidJson({ at: place, kind, ...request }: InvalidRequest, name: string): string {
  const at = new Date().toISOString();
  const of = name === '' ? {} : { name };
  return JSON.stringify({ type: 'invalid-request', at, ...of, kind, ...request, place });
}

function oneLine(text: string): string {
  return printable(text).replace(/\s*\n\s*/g, ' ');
}

/** An exchange as `paddock mock --log json` has it, so that `paddock learn` reads both. */
export function requestJson({ id: _, ...exchange }: SeenExchange, name: string): string {
  return JSON.stringify({ type: 'request', ...(name !== '' && { name }), ...exchange });
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
