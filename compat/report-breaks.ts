import type { ReportedFinding } from '#contract-tests';
import { keyAt } from '#report-parts';
import { type Contract, type Place, type Spot, showPlace, toPointer } from '#spec';
import type { Break } from './break.ts';
import { commandOf } from './command.ts';
import { KEY, type Sent } from './draft.ts';
import type { Answer } from './twins.ts';

const UNSTABLE = new Set(['experimental', 'beta']);
const LINES_AROUND = 3;

/** A break in the form of the suite's findings: the line of OLD is its place, that of NEW stands behind what NEW does. */
export function reportBreak(
  old: Contract,
  basePath: string,
  strictStability: boolean,
  one: Break,
): ReportedFinding {
  const { operation, status, law, received, documented, at, newAt, oldSpot, request, answers } = one;
  const pointer = toPointer(oldSpot.path);
  return {
    key: keyAt(old, { law }, at.uri, pointer),
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
    source: sourceAround(old, oldSpot, at),
    request: request ? showRequest(request) : '',
    response: answers?.new ? showAnswer(answers.new) : '',
  };
}

function sourceAround({ document }: Contract, { file }: Spot, { uri, line }: Place) {
  const source = [...document.files.values()].find((one) => one.uri === uri) ?? file;
  const lines = source.text.split(/\r?\n/);
  const first = Math.max(1, line - LINES_AROUND);
  return lines.slice(first - 1, line + LINES_AROUND).map((text, index) => ({ line: first + index, text }));
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
