import type { ConsumerTouch, ReportedFinding } from '#contract-tests';
import { curlOf, excerptAt, isUnstable, keyAt, sourceAround } from '#report-parts';
import { type Contract, parseFragment, placeOf, rawChild, showPlace, toPointer } from '#spec';
import type { Break } from './break.ts';
import type { Compared } from './compare.ts';
import { KEY, type Sent } from './draft.ts';
import type { SuiteBreak } from './suite-breaks.ts';
import type { Answer } from './twins.ts';

/** A break in the form of the suite's findings: it is placed at the line of OLD, and that of NEW follows what NEW does. */
export function reportBreak(
  compared: Compared,
  one: Break,
  ownKey?: string,
  touches: readonly ConsumerTouch[] | undefined = compared.touches?.ofBreak(one),
): ReportedFinding {
  const { operation, status, law, received, documented, at, newAt, oldSpot, request, answers } = one;
  const { old } = compared.contracts;
  const pointer = toPointer(oldSpot.path);
  const key = ownKey ?? keyAt(old, { law }, at.uri, pointer);
  return {
    key,
    root: key,
    caseId: `${operation.id}/${status}/compat`,
    operationId: operation.id,
    law,
    received: `${received} (${showPlace(newAt)})`,
    documented,
    at: showPlace(at),
    pointer,
    curl: request ? commandOf(request) : '',
    steps: undefined,
    gates: compared.strictStability || !operation || !isUnstable(operation),
    knownUntil: undefined,
    ...(touches && { consumers: touches }),
    place: { uri: at.uri, line: at.line, column: at.column },
    source: sourceAround(old, at),
    excerpt: excerptAt(old, at),
    request: request ? showRequest(request) : '',
    response: answers?.new ? showAnswer(answers.new) : '',
  };
}

function showRequest({ method, path, query, headers, body }: Sent): string {
  const lines = headers.map(([name, value]) => `${name}: ${value.replace(KEY, '***').replace(BASIC, '***')}`);
  const text = body ? ['', Buffer.from(body).toString()] : [];
  return [
    `${method} ${path}${query === '' ? '' : `?${query.replace(encodeURIComponent(KEY), '***')}`}`,
    ...lines,
    ...text,
  ].join('\n');
}

function showAnswer({ status, contentType, text }: Answer): string {
  return [`HTTP ${status}`, `content-type: ${contentType}`, '', text.slice(0, 2000)].join('\n');
}

const BASIC = Buffer.from(KEY).toString('base64');

/** The default address of `paddock mock NEW`. */
const ORIGIN = 'http://127.0.0.1:4020';

/** A curl command for a POSIX shell that sends a request to a mock of NEW, with the key in `$PADDOCK_API_KEY`. */
function commandOf({ basePath = '', path, query, ...sent }: Sent): string {
  const url = new URL(`${ORIGIN}${basePath}${path}${query === '' ? '' : `?${query}`}`);
  const variable = '"$PADDOCK_API_KEY"';
  return curlOf({ ...sent, url, chunked: false })
    .replace(`-H 'Authorization: Basic ${BASIC}'`, `-u ${variable}`)
    .replaceAll(KEY, `'${variable}'`)
    .replaceAll(encodeURIComponent(KEY), `'${variable}'`)
    .replaceAll(`${variable}''`, variable);
}

/**
 * A finding of OLD's suite for NEW.
 * @param ownKey of the change that explains it; undefined: none does
 */
export function reportLaw(
  { contracts, touches }: Compared,
  { reported }: SuiteBreak,
  ownKey?: string,
  consumers: readonly ConsumerTouch[] | undefined = reported && touches?.ofOperation(reported.operationId),
): ReportedFinding[] {
  if (!reported) return [];
  const finding = inBoth(contracts.new, atMock(reported));
  return [
    {
      ...finding,
      ...(ownKey !== undefined && { key: ownKey, root: ownKey }),
      ...(consumers && { consumers }),
    },
  ];
}

/** Adds the position in NEW that corresponds to the promise in OLD, as far as it exists. */
function inBoth({ document: { root } }: Contract, finding: ReportedFinding): ReportedFinding {
  let here = root;
  for (const step of parseFragment(finding.pointer) ?? []) {
    const next = rawChild(here, step);
    if (!next) break;
    here = next;
  }
  return { ...finding, received: `${finding.received} (${showPlace(placeOf(here))})` };
}

/** The suite sends its requests to a mock without a port. */
function atMock(finding: ReportedFinding): ReportedFinding {
  const moved = (text: string) => text.replaceAll('http://localhost/', `${ORIGIN}/`);
  return {
    ...finding,
    curl: moved(finding.curl),
    steps: finding.steps?.map(moved),
    request: moved(finding.request),
  };
}
