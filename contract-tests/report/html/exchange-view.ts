import { STATUS_CODES } from 'node:http';
import { count, pointerTokens } from '#spec';
import { type LawName, SUBJECT, type Subject } from '../../laws/law.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import { type Failing, jsonView } from './json-view.ts';
import { html, inLines, type Markup, type Part, preformatted } from './markup.ts';

/** A request or response of a finding: first line, headers and body. */
interface Message {
  readonly start: string;
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

/** The parts of a message to highlight. */
interface Spot {
  readonly isStatus?: boolean;
  /** In lower case. */
  readonly header?: string | undefined;
  /** Whether the header is required. */
  readonly isHeaderNeeded?: boolean;
  readonly body?: Failing | undefined;
}

/** Findings about a status, unless they are about a header. */
const OF_STATUS: ReadonlySet<Subject> = new Set<Subject>([
  'statuses',
  'credentials',
  'invalid input',
  'valid requests',
  'versions',
]);

const OF_HEADER: Readonly<Partial<Record<LawName, string>>> = {
  'content-type': 'content-type',
  encoding: 'content-encoding',
  location: 'location',
  'etag-stays': 'etag',
  'etag-changes': 'etag',
};

/** Request and response of a finding side by side, with the failing parts highlighted. */
export function exchangeView(finding: ReportedFinding): Markup {
  return html`<div class="exchange">${requestView(finding)}${responseView(finding)}</div>`;
}

/** The first line of the request without the origin: `GET /v1/pets?limit=1`. */
export function requestLine({ request }: Pick<ReportedFinding, 'request'>): string {
  return messageOf(request).start.replace(/^(\S+) https?:\/\/[^/?#]*/, '$1 ');
}

function messageOf(text: string): Message {
  const [, head = '', body] = /^(.*?)(?:\n\n(.*))?$/s.exec(text) ?? [];
  const [start = '', ...headers] = head.split('\n');
  return { start, headers, body: body || undefined };
}

function requestView({ request, sent }: ReportedFinding): Markup {
  const message = messageOf(request);
  const { start, headers, body } = message;
  const [, method = '', url = start] = /^(\S+) (.*)$/s.exec(start) ?? [];
  const line = html`<b class="method">${method}</b> <code>${urlView(url, sent)}</code>`;
  const header =
    sent?.in === 'cookie' ? 'cookie' : sent?.in === 'header' ? sent.name.toLowerCase() : undefined;
  const failing = sent?.in === 'body' ? { path: pointerTokens(sent.pointer), isOfRecord: false } : undefined;
  const field = failing?.path[0];
  const isForm = headers.some((one) => /^content-type: *application\/x-www-form-urlencoded/i.test(one));
  const fields = isForm && body && field !== undefined ? pairsView(body, field) : undefined;
  return messageView('Request', line, message, { header, isHeaderNeeded: true, body: failing }, fields);
}

/** The URL, with the invalid parameter highlighted. */
function urlView(url: string, sent: ReportedFinding['sent']): Part {
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, undefined] : [url.slice(0, at), url.slice(at + 1)];
  const pathView = sent?.in === 'path' && sent.text ? markedLast(path, sent.text) : path;
  const wanted = sent?.in === 'query' ? sent.name : undefined;
  if (query !== undefined) return [pathView, '?', pairsView(query, wanted)];
  return wanted === undefined ? pathView : [pathView, ' ', notHere(wanted)];
}

/** Highlights the last occurrence of a text in another. */
function markedLast(all: string, wanted: string): Part {
  const at = all.lastIndexOf(wanted);
  return at < 0 ? all : [all.slice(0, at), html`<mark>${wanted}</mark>`, all.slice(at + wanted.length)];
}

/** The pairs of a query or form; a member of an object in brackets (`filter[name]`) belongs to its parameter. */
function pairsView(pairs: string, wanted: string | undefined): Part {
  const isWanted = (pair: string) => nameOfPair(pair).replace(/\[.*/s, '') === wanted;
  const all = pairs.split('&');
  return [
    all.map((pair, index) => [index > 0 && '&', isWanted(pair) ? html`<mark>${pair}</mark>` : pair]),
    wanted !== undefined && !all.some(isWanted) && [' ', notHere(wanted)],
  ];
}

function nameOfPair(pair: string): string {
  const [name = ''] = pair.replaceAll('+', ' ').split('=');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function notHere(name: string): Markup {
  return html`<mark><i>${name} is not here</i></mark>`;
}

function responseView(finding: ReportedFinding): Markup {
  const message = messageOf(finding.response);
  const spot = spotOf(finding);
  const status = message.start.replace(/^HTTP /, '');
  const name = html`<span class="status s${status.slice(0, 1)}">${status}</span> ${STATUS_CODES[status]}`;
  return messageView('Response', spot.isStatus ? html`<mark>${name}</mark>` : name, message, spot);
}

function spotOf({ law, pointer, part }: ReportedFinding): Spot {
  if (OF_HEADER[law] !== undefined) return { header: OF_HEADER[law], isHeaderNeeded: true };
  // A custom rule has no subject.
  const subject: Subject | undefined = SUBJECT[law];
  if (subject && OF_STATUS.has(subject)) return { isStatus: true };
  if (subject === 'headers') {
    const steps = pointerTokens(pointer);
    const name = steps[steps.lastIndexOf('headers') + 1] ?? '';
    return { header: name.toLowerCase(), isHeaderNeeded: steps.includes('responses') };
  }
  const isOfRecord = subject !== 'bodies';
  return part === undefined ? {} : { body: { path: pointerTokens(part), isOfRecord } };
}

/** @param body its rendering; undefined: the default one */
function messageView(title: string, start: Part, message: Message, spot: Spot, body?: Part): Markup {
  return html`<section class="message"><h4>${title}</h4><p class="start">${start}</p>${headersView(message.headers, spot)}${
    body === undefined ? bodyView(message.body, spot.body) : preformatted('Body', body, 'body')
  }</section>`;
}

/** Collapsed, unless one of them fails. */
function headersView(headers: readonly string[], { header, isHeaderNeeded }: Spot): Markup | false {
  const isWanted = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase() === header;
  const lines = headers.map((line) => {
    const [, name = '', rest = ''] = /^([^:]*)(:.*)?$/s.exec(line) ?? [];
    const view = html`<b>${name}</b>${rest}`;
    return isWanted(line) ? html`<mark>${view}</mark>` : view;
  });
  const isMissing = header !== undefined && isHeaderNeeded && !headers.some(isWanted);
  if (isMissing) lines.push(notHere(header));
  return (
    lines.length > 0 &&
    html`<details class="headers"${header !== undefined && html` open`}><summary>${count(headers.length, 'header')}</summary><pre>${inLines(lines)}</pre></details>`
  );
}

function bodyView(body: string | undefined, failing: Failing | undefined): Markup {
  const isAllWrong = failing?.path.length === 0;
  if (body === undefined)
    return html`<p class="soft">${isAllWrong ? html`<mark>No body</mark>` : 'No body'}</p>`;
  const view = jsonView(body, failing);
  const isUnseen = failing && !isAllWrong && view?.isMarked === false;
  return html`${preformatted('Body', view?.markup ?? (isAllWrong ? html`<mark>${body}</mark>` : body), 'body')}${
    isUnseen &&
    html`<p class="soft">/${failing.path.join('/')} is not in the part of the body that the report keeps.</p>`
  }`;
}
