import { isUtf8 } from 'node:buffer';
import {
  isEqual,
  isRecord,
  maskHeader,
  maskUrl,
  pointerTokens,
  settlementOf,
  shortenText,
  showPlace,
  stringifyJson,
} from '#spec';
import type { SentPart } from '../laws/evidence.ts';
import { type Confirmation, type Finding, pointerAt } from '../laws/finding.ts';
import { type LawName, presumedIn } from '../laws/law.ts';
import { recordsOf } from '../laws/list-page.ts';
import { roleOf } from '../laws/operation-role.ts';
import type { Plan } from '../run/run.ts';
import { curlOf, linesOf } from '../send/curl.ts';
import { type Exchange, jsonOf } from '../send/response.ts';
import { createCommandRedactor, createIssuedRedactor, createRedactor, MASK, redactAll } from './redact.ts';
import { excerptAt, type SourceLine, sourceAround } from './source-lines.ts';
import { counts, gates } from './verdict.ts';

/** A finding as data, with all that is needed to understand and reproduce it. */
export interface ReportedFinding {
  /** Its identity across runs: rule, kind of breach and position in the document. */
  readonly key: string;
  /** The key of the cause that shows or explains it. */
  readonly root: string;
  /** One of the cases that report it. */
  readonly caseId: string;
  readonly operationId: string;
  /** The name of the broken rule, built-in or custom. */
  readonly law: LawName;
  /** What was received, shortened for people. */
  readonly received: string;
  /** What is documented instead. */
  readonly documented: string;
  /** File (or URL) and line of the document. */
  readonly at: string;
  /** JSON Pointer (RFC 6901) of the place in its file. */
  readonly pointer: string;
  /** JSON Pointer of the affected part of the body, or of the record in it; undefined: no single part. */
  readonly part?: string | undefined;
  /** The part of the request that makes it invalid; undefined: none is known. */
  readonly sent?: SentPart | undefined;
  /** A command for a POSIX shell, with the key in `$PADDOCK_API_KEY`. */
  readonly curl: string;
  /** Lines for a POSIX shell that reproduce it from scratch, if one request is not enough. */
  readonly steps: readonly string[] | undefined;
  /** The result of reproducing it; undefined: the traffic was sent by others. */
  readonly confirmation?: Confirmation | undefined;
  /** False: it does not change the exit code: its operation is unstable, or it is known, old, or not seen again. */
  readonly gates: boolean;
  /** Waived until the end of that day (`--known`). */
  readonly knownUntil: string | undefined;
  /** Set if it breaks a presumed fact; undefined: it breaks a promise of the document. */
  readonly worthALook?: WorthALook;
  /** The number of exchanges of observed traffic that show it; undefined: the suite sent the requests. */
  readonly times?: number;
  /** The clients that a break between two versions affects or may affect. Absent: no client is named. */
  readonly consumers?: readonly ConsumerTouch[];
  readonly place: { readonly uri: string; readonly line: number; readonly column: number };
  /** The lines of the document around the place, long ones shortened. */
  readonly source: readonly SourceLine[];
  /** The indented value at the place, if its line is too long to be read: the document is minified. */
  readonly excerpt?: readonly string[] | undefined;
  /** The sent request, without credentials. */
  readonly request: string;
  /** The received response, with long bodies shortened, and only the affected records of a list. */
  readonly response: string;
}

/** How to settle a presumed fact: one of two lines in an overlay. Empty: no line can state the fact. */
export interface WorthALook {
  /** The target of the overlay's action: `$.paths['/pets'].get`. */
  readonly target?: string;
  /** What makes it a promise: `x-paddock: { query: { status: status } }`. */
  readonly meant?: string;
  /** What denies it. */
  readonly otherwise?: string;
}

/** A client that relies on what is broken. */
export interface ConsumerTouch {
  readonly consumer: string;
  /** `maybe`: the client's recorded use leaves it open. */
  readonly touched: 'yes' | 'maybe';
  /** In words. */
  readonly why: string;
}

/** The place for people: in a long line, with the column. */
export function shownPlace({
  at,
  place,
  excerpt,
}: Pick<ReportedFinding, 'at' | 'place' | 'excerpt'>): string {
  return excerpt ? `${at}:${place.column}` : at;
}

/** The command or, if it needs several, the lines. */
export function reproductionOf({ curl, steps }: Pick<ReportedFinding, 'curl' | 'steps'>): string {
  return steps?.join('\n') ?? curl;
}

const LONGEST_BODY = 2000;

/** The run that findings belong to. */
type JudgedRun = Pick<Plan, 'contract' | 'settings'>;

/** Converts findings to data for reports, without the run's credentials. */
export function findingReporter(run: JudgedRun): (finding: Finding) => ReportedFinding {
  const { contract, settings } = run;
  const redact = createRedactor(settings);
  const redactCommand = createCommandRedactor(
    settings,
    [...contract.document.files.values()].map(({ text }) => text),
  );
  return (finding) => {
    const lines = finding.steps && linesOf(finding.steps, redactCommand);
    const isOne = finding.steps?.length === 1 && finding.steps[0]?.length === 1;
    const redactIssued = createIssuedRedactor(finding.exchange.response.headers);
    return {
      ...redactAll(reportFinding(run, finding), (text) => redactIssued(redact(text))),
      curl: (isOne ? lines?.[0] : undefined) ?? curlOf(finding.exchange.request, redactCommand),
      steps: isOne ? undefined : lines,
    };
  };
}

function reportFinding(run: JudgedRun, finding: Finding): Omit<ReportedFinding, 'curl' | 'steps'> {
  const { contract, settings } = run;
  const { key, caseId, operationId, law, received, documented, at, exchange, knownUntil } = finding;
  const { confirmation } = finding;
  const presumed = presumedIn(finding);
  return {
    key,
    root: key,
    caseId,
    operationId,
    law,
    received,
    documented,
    at: showPlace(at),
    pointer: pointerAt(contract, at),
    ...(finding.part !== undefined && { part: finding.part }),
    ...(finding.sent && { sent: finding.sent }),
    gates:
      counts(finding, settings) &&
      contract.operations.some((operation) => operation.id === operationId && gates(operation, settings)),
    confirmation,
    knownUntil,
    ...(presumed && { worthALook: settlementOf(contract, presumed) ?? {} }),
    place: { uri: at.uri, line: at.line, column: at.column },
    source: sourceAround(contract, at),
    excerpt: excerptAt(contract, at),
    request: showRequest(exchange),
    response: showResponse(run, finding),
  };
}

function showRequest({ request }: Exchange): string {
  const head = [`${request.method} ${maskUrl(request.url.href, MASK)}`, ...request.headers.map(showHeader)];
  return [...head, ...(request.body ? ['', cut(textIn(request.body))] : [])].join('\n');
}

function textIn(body: Uint8Array): string {
  return isUtf8(body) ? Buffer.from(body).toString() : noText(body);
}

function noText({ length }: Uint8Array): string {
  return `${length} bytes that are no text`;
}

function showHeader([name, value]: readonly [name: string, value: string]): string {
  return `${name}: ${maskHeader(name, value, MASK)}`;
}

function showResponse(run: JudgedRun, finding: Finding): string {
  const { response } = finding.exchange;
  if (response.status === 0) return 'no response';
  const head = [`HTTP ${response.status}`, ...response.headers.map(showHeader)];
  return [...head, '', bodyOf(run, finding)].join('\n');
}

/**
 * Of a list only the affected records are kept, or some if the list itself is wrong: a report is no copy of the target's
 * data.
 */
function bodyOf({ contract }: JudgedRun, { exchange, about, part = '' }: Finding): string {
  const { operation, response } = exchange;
  const list = roleOf(contract, operation)?.resource.list;
  const body = jsonOf(response);
  const whole = response.text ?? noText(response.body);
  const records = list && (Array.isArray(body) || isRecord(body)) ? recordsOf(list, body) : [];
  const concerned = records.filter((record) => about?.some((one) => isEqual(one, record)));
  const sample = (concerned.length > 0 ? concerned : records).slice(0, KEPT_RECORDS);
  const isWhole = sample.length === records.length;
  if (isWhole && whole.length <= LONGEST_BODY) return whole;
  const item = concerned.length > 0 ? undefined : itemIn(body, pointerTokens(part));
  if (item !== undefined || isWhole) return item ?? cut(whole);
  const which = concerned.length > 0 ? `${concerned.length} concerned, of ` : '';
  const lines = sample.map((record) => stringifyJson(record)).join('\n');
  return `${cut(lines)}\n… (${which}${records.length} records in all)`;
}

/** The list item that contains a part; undefined: none does. */
function itemIn(body: unknown, [token = '', ...others]: readonly string[]): string | undefined {
  if (!Array.isArray(body)) return isRecord(body) && token !== '' ? itemIn(body[token], others) : undefined;
  const item: unknown = body[Number(token)];
  return token === '' || item === undefined
    ? undefined
    : `${cut(stringifyJson(item))}\n… (item /${token}, of ${body.length} in all)`;
}

const KEPT_RECORDS = 3;

const cut = (text: string) => shortenText(text, LONGEST_BODY);
