import { LAWS } from '#contract-tests';
import type { ObservedFinding } from '#observe';
import type { OwnResponse } from '../wire/own-response.ts';

/** The line of the header that `--annotate` adds for a finding. */
export function lineOf({ law, operationId, at }: ObservedFinding): string {
  return `Paddock-Finding: ${law}; operation=${quoted(operationId)}; at=${quoted(at)}`;
}

/** RFC 9110 §5.6.4, in ASCII. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

/** What `--enforce` answers in place of a response that breaks the document (RFC 9457). */
export function problemOf(findings: readonly ObservedFinding[]): OwnResponse {
  const count = findings.length === 1 ? 'a promise' : `${findings.length} promises`;
  return {
    status: 502,
    problem: {
      detail: `The response of the target breaks ${count} of its document, and was held back`,
      findings: findings.map(({ law, operationId, status, received, documented, at }) => {
        return { law, promise: LAWS[law], operationId, status, received, documented, at };
      }),
    },
  };
}
