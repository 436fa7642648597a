import type { ClientRequest } from '../code/client-request.ts';
import { access } from '../shell/access.ts';
import { onEvent } from '../shell/connection.ts';
import type { LoggedRequest } from '../wire.ts';
import type { Received } from './response-view.ts';

/** The most characters of a response to show. */
const MOST_SHOWN = 500_000;
/** How long to wait for the log, in milliseconds, as a rule may delay the response. */
const PATIENCE = 60_000;

/** Sends a request from this page, and passes on the response, for streams as it grows. */
export async function sendRequest(
  request: ClientRequest,
  signal: AbortSignal,
  onPart: (part: Received) => void,
): Promise<void> {
  const { method, url, headers, basic, cookies, body } = request;
  for (const pair of cookies) setCookie(`${pair.map(encodeURIComponent).join('=')}; path=/; SameSite=Strict`);
  const logged = loggedAs(method, url);
  const begun = performance.now();
  const sent = new Headers();
  try {
    for (const [name, value] of headers) sent.append(name, value);
    if (basic)
      sent.set(
        'Authorization',
        `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(basic.join(':'))))}`,
      );
    const { session } = access();
    if (session !== '') sent.set('Paddock-Session', session);
    const response = await fetch(url, {
      method,
      headers: sent,
      signal,
      ...(body !== undefined && { body }),
      redirect: 'manual',
    });
    const ms = performance.now() - begun;
    const type = response.headers.get('content-type') ?? '';
    const head = {
      status: response.status,
      text: response.statusText,
      headers: [...response.headers],
      type,
      ms,
    };
    let text = '';
    const isText = /^$|json|text|xml|yaml|javascript|urlencoded|event-stream/i.test(type);
    onPart({ ...head, body: undefined, number: undefined });
    const reader = (response.body as ReadableStream<BufferSource> | null)
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    try {
      for (;;) {
        const { done, value = '' } = (await reader?.read()) ?? { done: true };
        if (done) break;
        text += value;
        onPart({ ...head, body: isText ? text : undefined, number: undefined });
        if (text.length > MOST_SHOWN) {
          await reader?.cancel();
          break;
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    onPart({ ...head, body: isText ? text : undefined, number: await logged });
  } catch (error) {
    const why = signal.aborted
      ? 'Stopped.'
      : `No response: ${error instanceof Error ? error.message : error}`;
    onPart({ failure: why, number: await logged });
  }
}

/** The log's number for the request that is being sent. Undefined: the log does not show it. */
function loggedAs(method: string, url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const finish = (number: number | undefined) => {
      stop();
      clearTimeout(waiting);
      resolve(number);
    };
    const [path = ''] = url.split('?');
    const stop = onEvent('request', (data) => {
      const seen = JSON.parse(data) as LoggedRequest;
      if (seen.method === method && seen.target.split('?')[0] === path) finish(seen.number);
    });
    const waiting = setTimeout(() => finish(undefined), PATIENCE);
  });
}

/** Scripts cannot set the `Cookie` header, but a page can set cookies of its own origin. */
function setCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS or this machine.
  document.cookie = text;
}
