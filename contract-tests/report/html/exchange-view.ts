import { STATUS_CODES } from 'node:http';
import { pointerTokens } from '#spec';
import type { SentPart } from '../../laws/evidence.ts';
import type { LawName } from '../../laws/law.ts';
import { escapeHtml as text } from '../escape.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import { type Failing, jsonView } from './json-view.ts';

/** A request or a response, as a finding has it: a line, headers, and a body behind an empty line. */
interface Message {
  readonly start: string;
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

/** What of a response a finding is about. */
type Spot =
  | { readonly in: 'status' }
  | { readonly in: 'header'; readonly name: string; readonly isDocumentedSo: boolean }
  | { readonly in: 'body'; readonly failing: Failing | undefined };

const OF_STATUS: ReadonlySet<LawName> = new Set<LawName>([
  'status',
  'unauthorised-first',
  'credentials-apart',
  'invalid-refused',
  'invalid-tolerated',
  'unique-refused',
  'unique-free',
  'example-accepted',
  'unknown-id',
  'stale-refused',
  'current-accepted',
  'not-modified',
  'condition-required',
]);

const OF_HEADER: Readonly<Partial<Record<LawName, string>>> = {
  'content-type': 'content-type',
  encoding: 'content-encoding',
  location: 'location',
  'etag-stays': 'etag',
  'etag-changes': 'etag',
};

const OF_WHOLE_BODY: ReadonlySet<LawName> = new Set<LawName>([
  'schema',
  'discriminator',
  'write-only-hidden',
  'error-status',
  'stream-message',
]);

/** Request and response of a finding side by side, with what fails marked. */
export function exchangeView(finding: ReportedFinding): string {
  const spot = spotOf(finding);
  return `<div class="exchange">${requestView(finding)}${responseView(finding.response, spot)}</div>`;
}

/** The first line of the request without its origin: `GET /v1/pets?limit=1`. */
export function requestLine({ request }: Pick<ReportedFinding, 'request'>): string {
  return messageOf(request).start.replace(/^(\S+) https?:\/\/[^/?#]*/, '$1 ');
}

/** The class of the status, such as `4xx`; undefined: nothing came. */
export function statusClass({ response }: Pick<ReportedFinding, 'response'>): string | undefined {
  const [, digit] = /^HTTP (\d)\d\d\b/.exec(response) ?? [];
  return digit === undefined ? undefined : `${digit}xx`;
}

function requestView({ request, sent }: ReportedFinding): string {
  const { start, headers, body } = messageOf(request);
  const [, method = '', url = start] = /^(\S+) (.*)$/s.exec(start) ?? [];
  const line = `<p class="start"><b class="method">${text(method)}</b> <code>${urlView(url, sent)}</code></p>`;
  const name = sent?.in === 'cookie' ? 'cookie' : sent?.name.toLowerCase();
  const isInHeader = sent?.in === 'header' || sent?.in === 'cookie';
  const spot = isInHeader ? ({ in: 'header', name: name ?? '', isDocumentedSo: true } as const) : undefined;
  const failing = sent?.in === 'body' ? { path: pointerTokens(sent.pointer), isOfRecord: false } : undefined;
  const isForm = headers.some((one) => /^content-type: *application\/x-www-form-urlencoded/i.test(one));
  const shown = isForm && body && failing ? formView(body, failing.path[0]) : bodyView(body, failing);
  return message('Request', line, headersView(headers, spot), shown);
}

/** The address, with the parameter marked that makes the request invalid. */
function urlView(url: string, sent: SentPart | undefined): string {
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, undefined] : [url.slice(0, at), url.slice(at + 1)];
  const shownPath = sent?.in === 'path' && sent.text ? markedSegment(path, sent.text) : text(path);
  const wanted = sent?.in === 'query' ? sent.name : undefined;
  if (query !== undefined) return `${shownPath}?${pairsView(query, wanted)}`;
  return wanted === undefined ? shownPath : `${shownPath} ${notHere(wanted)}`;
}

/** The last segment that is, or contains, the text of a parameter. */
function markedSegment(path: string, wanted: string): string {
  const at = path.lastIndexOf(wanted);
  if (at < 0) return text(path);
  return `${text(path.slice(0, at))}<mark>${text(wanted)}</mark>${text(path.slice(at + wanted.length))}`;
}

/** Pairs of a query or of a form; a member of an object in brackets (`filter[name]`) belongs to its parameter. */
function pairsView(pairs: string, wanted: string | undefined): string {
  const isWanted = (pair: string) => nameOfPair(pair).replace(/\[.*/s, '') === wanted;
  const all = pairs.split('&');
  const shown = all.map((pair) => (isWanted(pair) ? `<mark>${text(pair)}</mark>` : text(pair)));
  return `${shown.join('&amp;')}${wanted === undefined || all.some(isWanted) ? '' : ` ${notHere(wanted)}`}`;
}

function formView(body: string, wanted: string | undefined): string {
  return bodyHtml(wanted === undefined ? `<mark>${text(body)}</mark>` : pairsView(body, wanted));
}

function nameOfPair(pair: string): string {
  const [name = ''] = pair.replaceAll('+', ' ').split('=');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function notHere(name: string): string {
  return `<mark><i>${text(name)} is not here</i></mark>`;
}

function responseView(response: string, spot: Spot): string {
  const { start, headers, body } = messageOf(response);
  const status = start.replace(/^HTTP /, '');
  const name = `<span class="status s${text(status.slice(0, 1))}">${text(status)}</span> ${text(STATUS_CODES[status] ?? '')}`;
  const line = `<p class="start">${spot.in === 'status' ? `<mark>${name}</mark>` : name}</p>`;
  const about = spot.in === 'body' ? spot.failing : undefined;
  return message('Response', line, headersView(headers, spot), bodyView(body, about));
}

function message(title: string, start: string, headers: string, body: string): string {
  return `<section class="message"><h4>${title}</h4>${start}${headers}${body}</section>`;
}

function messageOf(shown: string): Message {
  const at = shown.indexOf('\n\n');
  const head = (at < 0 ? shown : shown.slice(0, at)).split('\n');
  const body = at < 0 ? undefined : shown.slice(at + 2);
  return { start: head[0] ?? '', headers: head.slice(1), body: body === '' ? undefined : body };
}

function spotOf({ law, pointer, part }: ReportedFinding): Spot {
  if (OF_STATUS.has(law)) return { in: 'status' };
  const fixed = OF_HEADER[law];
  if (fixed !== undefined) return { in: 'header', name: fixed, isDocumentedSo: true };
  if (law === 'header') {
    const steps = pointerTokens(pointer);
    const name = steps[steps.lastIndexOf('headers') + 1] ?? '';
    return { in: 'header', name: name.toLowerCase(), isDocumentedSo: pointer.includes('/responses/') };
  }
  if (part === undefined) return { in: 'body', failing: undefined };
  return { in: 'body', failing: { path: pointerTokens(part), isOfRecord: !OF_WHOLE_BODY.has(law) } };
}

/** Folded, unless one of them is what fails. */
function headersView(headers: readonly string[], spot: Spot | undefined): string {
  const wanted = spot?.in === 'header' ? spot : undefined;
  const isWanted = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase() === wanted?.name;
  const lines = headers.map((line) => {
    const at = line.indexOf(':');
    const shown = at < 0 ? text(line) : `<b>${text(line.slice(0, at))}</b>${text(line.slice(at))}`;
    return isWanted(line) ? `<mark>${shown}</mark>` : shown;
  });
  const isThere = headers.some(isWanted);
  const ghost = wanted?.isDocumentedSo && !isThere ? [notHere(wanted.name)] : [];
  const shown = [...lines, ...ghost];
  if (shown.length === 0) return '';
  const count = `${headers.length} ${headers.length === 1 ? 'header' : 'headers'}`;
  return `<details class="headers"${wanted ? ' open' : ''}><summary>${count}</summary><pre>${shown.join('\n')}</pre></details>`;
}

function bodyView(body: string | undefined, failing: Failing | undefined): string {
  if (body === undefined)
    return `<p class="soft">${failing?.path.length === 0 ? '<mark>No body</mark>' : 'No body'}</p>`;
  const view = jsonView(body, failing);
  const isUnseen = failing && failing.path.length > 0 && view?.isMarked === false;
  const note = isUnseen
    ? `<p class="soft">/${text(failing.path.join('/'))} is not in the part of the body that the report keeps.</p>`
    : '';
  const isAllWrong = failing?.path.length === 0;
  const plain = isAllWrong ? `<mark>${text(body)}</mark>` : text(body);
  return `${bodyHtml(view?.html ?? plain)}${note}`;
}

function bodyHtml(html: string): string {
  return `<pre class="body" tabindex="0" role="group" aria-label="Body">${html}</pre>`;
}
