import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { LAWS, ReportedFinding } from '#contract-tests';
import type { Explained, Log, LogEntry, Trace } from '#mock-server';
import type { InvalidRequest, SeenExchange } from '#proxy';
import { hasColours, printable } from './terminal.ts';

/** Lines for people, or a JSON object per line. */
export type LogForm = 'text' | 'json';

const FLUSH_MS = 40;

/** Prints a line for each exchange. Lines are written together, since a write for each would cost more than the response. */
export function createLogPrinter(stream: NodeJS.WriteStream | WriteStream, form: LogForm) {
  const lineOf = form === 'json' ? jsonLine : compileTextLine(hasColours(stream));
  let waiting = '';

  function flush(): void {
    if (waiting !== '') stream.write(waiting);
    waiting = '';
  }

  function add(line: string): void {
    if (waiting === '') setTimeout(flush, FLUSH_MS);
    waiting += `${line}\n`;
  }

  return {
    flush,
    /** Prints a message that is no exchange. */
    say(text: string): void {
      if (form === 'json')
        add(JSON.stringify({ type: 'notice', at: new Date().toISOString(), message: text }));
      else add(printable(text));
    },
    /** Prints a finished line: printable text, or JSON. */
    line: add,
    print(...exchange: Parameters<Log>): void {
      add(lineOf(...exchange));
    },
  };
}

/** An exchange's line, without its line end. */
type LogLine = (...exchange: Parameters<Log>) => string;

type Colour = Parameters<typeof styleText>[0];

const painter = (coloured: boolean) => (colour: Colour, text: string) =>
  coloured ? styleText(colour, text, { validateStream: false }) : text;

/** By the first digit of the status. */
const COLOURS: Readonly<Record<string, Colour>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' };

/** A body can have a thousand problems. */
const MOST_VIOLATIONS = 20;

/** A line for people; below it anything unusual, and for a refusal the problems with their lines of the document. */
function compileTextLine(coloured: boolean): LogLine {
  const paint = painter(coloured);
  return ({ method, target, status, ms, remark, refused, source, broken = [] }, explained) => {
    const statusText = paint(COLOURS[Math.trunc(status / 100)] ?? 'reset', `${status}`);
    const from = source ? ` [${source}]` : '';
    const line = `${method} ${visible(target)} ${statusText} ${tenths(ms)} ms${from}${remark ? ` (${printable(remark)})` : ''}`;
    const why = !explained || explained.isPlain ? '' : unusual(explained.trace());
    if (broken.length > 0) return line + why + listed(broken);
    return refused ? line + why + reasons(refused) : line + why;
  };
}

const MOST_UNUSUAL = 160;

/** Whether a rule or preference has responded, why a rule has not, and what had no effect; empty for most requests. */
function unusual({ answered, nearMisses, ignored }: Trace): string {
  const { by, because, rule } = answered;
  const cause = rule && (by === 'rule' ? because : `rule ${rule.id}: ${rule.did.join(', ')}`);
  const parts = [
    cause ?? (by === 'Prefer' ? because : undefined),
    ...nearMisses.map((nearMiss) => `not rule ${nearMiss.rule}: ${nearMiss.but}`),
    ignored.length > 0 ? `ignored: ${ignored.map(({ where }) => where).join(', ')}` : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return '';
  const text = parts.join('; ');
  return printable(indented(text.length > MOST_UNUSUAL ? `${text.slice(0, MOST_UNUSUAL)}...` : text));
}

function reasons({ message, violations }: NonNullable<LogEntry['refused']>): string {
  return violations.length === 0 ? printable(indented(message)) : listed(violations);
}

function listed(violations: NonNullable<LogEntry['refused']>['violations']): string {
  let lines = '';
  for (const { where, message: what, at } of violations.slice(0, MOST_VIOLATIONS))
    lines += indented(at === undefined ? `${where} ${what}` : `${where} ${what} (${at})`);
  const more = violations.length - MOST_VIOLATIONS;
  return printable(more > 0 ? lines + indented(`and ${more} more`) : lines);
}

function indented(text: string): string {
  return `\n  ${text.includes('\n') ? text.replaceAll('\n', ' ') : text}`;
}

/** JSON for programs; `at` is the current time. */
function jsonLine({ ms, refused, ...entry }: LogEntry, explained: Explained | undefined): string {
  const at = new Date();
  const rounded = Math.round(ms * 1000) / 1000;
  const line = {
    type: 'request',
    at: at.toISOString(),
    ...entry,
    ms: rounded,
    ...refused,
    trace: explained?.trace(),
  };
  return JSON.stringify(line);
}

/** `12.3`; several times as fast as `toFixed`. */
function tenths(value: number): string {
  const whole = Math.round(value * 10);
  return `${Math.trunc(whole / 10)}.${whole % 10}`;
}

/** A client's text must not control the terminal. */
function visible(target: string): string {
  return /^[\x21-\x7e]*$/.test(target) ? target : encodeURI(target);
}

/** A new finding's line for people. */
export function compileFindingLine(
  laws: typeof LAWS,
  coloured: boolean,
): (finding: ReportedFinding) => string {
  const paint = painter(coloured);
  return ({ caseId, operationId, law, received, documented, at, gates, worthALook }) => {
    const status = caseId.split('/').at(-2);
    const isPresumed = worthALook && !gates;
    const broken = gates ? 'broken' : 'broken (does not gate)';
    const head = isPresumed ? paint('yellow', 'worth a look') : paint('red', broken);
    const what = `${operationId} ${status}: ${laws[law]}: received ${received}; documented ${documented}`;
    return `${head} ${oneLine(what)} ${paint('dim', `(${oneLine(at)})`)}`;
  };
}

/** An invalid request's line for people. */
export function compileInvalidLine(coloured: boolean): (request: InvalidRequest, name: string) => string {
  const paint = painter(coloured);
  return ({ kind, method, target, reason, at, times, refused }, name) => {
    const head = paint('yellow', kind + (refused === undefined ? '' : `, refused with ${refused}`));
    const what = `${name === '' ? '' : `${name}: `}${method} ${target}: ${reason}`;
    return `${head} ${oneLine(what)} ${paint('dim', `(${oneLine(at)})`)}${times > 1 ? ` (${times} times)` : ''}`;
  };
}

/** JSON for programs; `at` is the current time, `place` is in the document. */
export function invalidJson({ at: place, kind, ...request }: InvalidRequest, name: string): string {
  const at = new Date().toISOString();
  const of = name === '' ? {} : { name };
  return JSON.stringify({ type: 'invalid-request', at, ...of, kind, ...request, place });
}

function oneLine(text: string): string {
  return printable(text).replace(/\s*\n\s*/g, ' ');
}

/** An exchange in the form of `paddock mock --log json`, so that `paddock learn` can read both. */
export function requestJson({ id: _, ...exchange }: SeenExchange, name: string): string {
  return JSON.stringify({ type: 'request', ...(name !== '' && { name }), ...exchange });
}

/** JSON for programs; `at` is the current time, `place` is in the document. */
export function findingJson(finding: ReportedFinding, at = new Date()): string {
  const { caseId, operationId, law, received, documented, gates, at: place, curl } = finding;
  const type = 'finding';
  return JSON.stringify({
    type,
    at: at.toISOString(),
    caseId,
    operationId,
    law,
    received,
    documented,
    place,
    gates,
    curl,
  });
}
