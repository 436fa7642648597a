import type { ConsumerTouch, ReportedFinding } from '#contract-tests';
import { excerptAt, isUnstable, keyAt, sourceAround } from '#report-parts';
import { type Contract, type Operation, parseFragment, placeOf, rawChild, showPlace, toPointer } from '#spec';
import type { Break } from './break.ts';
import type { Compared } from './compare.ts';
import { KEY, type Sent } from './draft.ts';
import type { SuiteBreak } from './suite-breaks.ts';
import type { Answer } from './twins.ts';

function isGating({ strictStability }: Compared, operation: Operation | undefined): boolean {
  return strictStability || !operation || !isUnstable(operation);
}

/** A break in the form of the suite's findings: the line of OLD is its place, that of NEW stands behind what NEW does. */
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
    gates: isGating(compared, operation),
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

/** Where `paddock mock NEW` listens by default. */
const ORIGIN = 'http://127.0.0.1:4020';

/** A curl command for a POSIX shell that sends a request to a mock of NEW, with the key in `$PADDOCK_API_KEY`. */
function commandOf({ method, basePath = '', path, query, headers, body }: Sent): string {
  const url = `${ORIGIN}${basePath}${path}${query === '' ? '' : `?${query}`}`;
  const basic = `Basic ${Buffer.from(KEY).toString('base64')}`;
  const words = ['curl', '-i', ...(method === (body ? 'POST' : 'GET') ? [] : ['-X', method]), keyed(url)];
  for (const [name, value] of headers)
    if (value === basic) words.push('-u', '"$PADDOCK_API_KEY"');
    else words.push('-H', keyed(value === '' ? `${name};` : `${name}: ${value}`));
  if (!body) return words.join(' ');
  const text = Buffer.from(body).toString();
  if (/^[^\p{Cc}]*$/u.test(text) && Buffer.from(text).equals(body))
    return [...words, '--data-raw', quoted(text)].join(' ');
  const encoded = Buffer.from(body).toString('base64');
  return `printf ${encoded} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In single quotes, but for the key. */
function keyed(text: string): string {
  const parts = text.split(new RegExp(`${KEY}|${encodeURIComponent(KEY)}`));
  return parts
    .map((part) => (part === '' && parts.length > 1 ? '' : quoted(part)))
    .join('"$PADDOCK_API_KEY"');
}

/** What a law of OLD's suite says of NEW. @param ownKey of the change that explains it; undefined: none does */
export function reportLaw(
  { contracts, touches }: Compared,
  { reported }: SuiteBreak,
  ownKey?: string,
  own: readonly ConsumerTouch[] | undefined = reported && touches?.ofOperation(reported.operationId),
): ReportedFinding[] {
  if (!reported) return [];
  const finding = inBoth(contracts.new, atMock(reported));
  return [
    {
      ...finding,
      ...(ownKey !== undefined && { key: ownKey, root: ownKey }),
      ...(own && { consumers: own }),
    },
  ];
}

/** The line of NEW that stands where OLD makes the promise, as far as it goes. */
function inBoth({ document: { root } }: Contract, finding: ReportedFinding): ReportedFinding {
  let here = root;
  for (const step of parseFragment(finding.pointer) ?? []) {
    const next = rawChild(here, step);
    if (!next) break;
    here = next;
  }
  return { ...finding, received: `${finding.received} (${showPlace(placeOf(here))})` };
}

/** The suite has sent its requests to a mock without a port. */
function atMock(finding: ReportedFinding): ReportedFinding {
  const moved = (text: string) => text.replaceAll('http://localhost/', `${ORIGIN}/`);
  return {
    ...finding,
    curl: moved(finding.curl),
    steps: finding.steps?.map(moved),
    request: moved(finding.request),
  };
}
