import { STATUS_CODES } from 'node:http';
import { pointerTokens } from '#spec';
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
  return `<div class="exchange">${requestView(finding.request)}${responseView(finding.response, spot)}</div>`;
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

function requestView(request: string): string {
  const { start, headers, body } = messageOf(request);
  const [, method = '', url = start] = /^(\S+) (.*)$/s.exec(start) ?? [];
  const line = `<p class="start"><b class="method">${text(method)}</b> <code>${text(url)}</code></p>`;
  return message('Request', line, headersView(headers, undefined), bodyView(body, undefined));
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
  const ghost =
    wanted?.isDocumentedSo && !isThere ? [`<mark><i>${text(wanted.name)} is not here</i></mark>`] : [];
  const shown = [...lines, ...ghost];
  if (shown.length === 0) return '';
  const count = `${headers.length} ${headers.length === 1 ? 'header' : 'headers'}`;
  return `<details class="headers"${wanted ? ' open' : ''}><summary>${count}</summary><pre>${shown.join('\n')}</pre></details>`;
}

function bodyView(body: string | undefined, failing: Failing | undefined): string {
  if (body === undefined) return '<p class="soft">No body</p>';
  const view = jsonView(body, failing);
  const isUnseen = failing && failing.path.length > 0 && view?.isMarked === false;
  const note = isUnseen
    ? `<p class="soft">/${text(failing.path.join('/'))} is not in the part of the body that the report keeps.</p>`
    : '';
  return `<pre class="body" tabindex="0" role="group" aria-label="Body">${view?.html ?? text(body)}</pre>${note}`;
}
