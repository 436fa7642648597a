import { randomUUID } from 'node:crypto';
import { percentDecode } from '#spec';
import { decodedBody, type SentRequest, type UpstreamClient, type UpstreamResponse } from './client.ts';

/** Whether a 404 means that the service does not have the path at all. */
export type IsUnknownPath = (request: SentRequest, response: UpstreamResponse) => Promise<boolean>;

/** The most known forms of a 404, one for each `Accept` of clients. */
const MOST_FORMS = 20;

/** Milliseconds after which a form that does not match is requested again, since the service may have been replaced. */
const STAYS = 60_000;

/**
 * Requests an impossible path once, and compares responses with it, ignoring what differs between two unknown paths: the
 * path itself, the method, times and request ids.
 * @param prefix the path prefix of the service: `/api`
 */
export function createUnknownPaths(client: UpstreamClient, prefix: string): IsUnknownPath {
  const forms = new Map<string, { readonly form: Promise<string | undefined>; readonly at: number }>();

  async function probe({ headers }: SentRequest): Promise<string | undefined> {
    const fields = headers.filter(([name]) => !OF_CONTENT.test(name));
    const request = { method: 'GET', target: `${prefix}/${randomUUID()}`, headers: fields, body: undefined };
    const response = await client.send(request).catch(() => undefined);
    return response?.status === 404 ? formOf(request, response, prefix) : undefined;
  }

  function formFor(request: SentRequest, isOld: (at: number) => boolean): Promise<string | undefined> {
    const accept = request.headers.find(([name]) => name === 'accept')?.[1] ?? '';
    const entry = forms.get(accept);
    if (entry && !isOld(entry.at)) return entry.form;
    if (forms.size >= MOST_FORMS) forms.clear();
    const form = probe(request);
    forms.set(accept, { form, at: performance.now() });
    // Without a form nothing is known, since the service may have been down.
    form.then((text) => text === undefined && forms.delete(accept));
    return form;
  }

  return async (request, response) => {
    const actual = formOf(request, response, prefix);
    if (actual === undefined) return false;
    const isSame = (form: string | undefined) =>
      form !== undefined && (request.method === 'HEAD' ? headOf(form) === headOf(actual) : form === actual);
    if (isSame(await formFor(request, () => false))) return true;
    return isSame(await formFor(request, (at) => performance.now() - at > STAYS));
  };
}

const OF_CONTENT = /^(?:content-.*|if-.*|range|expect)$/;

/** Headers that vary, or depend on path, body or page. */
const VOLATILE =
  /^(?:age|content-length|content-encoding|date|etag|expires|last-modified|nel|report-to|retry-after|server-timing|set-cookie|vary|via|access-control-.*|cf-.*|.*rate-?limit.*|.*(?:request|trace|correlation|span|transaction|invocation|session)-?id.*|traceparent|tracestate|x-amz.*|x-b3-.*|x-runtime|x-(?:response|process|processing)-time|x-envoy-.*|x-served-by|x-timer)$/;

const HEAD_END = '\n\n';
const headOf = (form: string) => form.slice(0, form.indexOf(HEAD_END));

/** Headers and body of a 404 without varying parts. Undefined: the body is too long for one. */
function formOf(
  { method, target }: SentRequest,
  response: UpstreamResponse,
  prefix: string,
): string | undefined {
  const { fields, body } = response;
  if (!(body instanceof Uint8Array)) return undefined;
  const pairs = fields.map(([name, value]) => [name.toLowerCase(), value] as const);
  const coding = pairs.find(([name]) => name === 'content-encoding')?.[1];
  const bytes = decodedBody(body, coding);
  if (!bytes) return undefined;
  const lines = pairs
    .filter(([name]) => !VOLATILE.test(name))
    .map(([name, value]) => `${name}: ${withoutPath(value, method, target, prefix)}`)
    .sort();
  const text = new TextDecoder().decode(bytes);
  return lines.join('\n') + HEAD_END + withoutPath(text, method, target, prefix);
}

/** The text with placeholders for method, path, times and ids. */
function withoutPath(text: string, method: string, target: string, prefix: string): string {
  const path = target.replace(/\?.*$/s, '');
  const texts = [target, path, target.slice(prefix.length), path.slice(prefix.length)].flatMap(spellings);
  let template = text;
  for (const one of [...new Set(texts)]
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length))
    template = template.replaceAll(one, '{path}');
  return template
    .replace(/\b[A-Z]+\b/g, (word) => (word === method ? '{method}' : word))
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, '{moment}')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '{id}')
    .replace(/\b(?=[a-z]*\d)[\da-z]{16,}\b|\b\d{10,}(?:\.\d+)?\b/gi, '{id}');
}

/** How a path may appear in a text: as sent, decoded, in HTML, in JSON, and without its first slash. */
function spellings(path: string): string[] {
  const decoded = percentDecode(path);
  return [path, decoded, path.slice(1), decoded.slice(1)].flatMap((one) => [
    one,
    escaped(one),
    escaped(one).replaceAll('/', '&#x2F;'),
    escaped(one).replaceAll('/', '&#47;'),
    one.replaceAll('/', '\\/'),
    JSON.stringify(one).slice(1, -1),
  ]);
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
