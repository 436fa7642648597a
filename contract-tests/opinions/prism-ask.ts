import { isJsonType } from '#spec';
import { type Client, WireError } from '../send/client.ts';
import { headerOf, type WireRequest } from '../send/wire.ts';
import { EXCHANGE, type Playback, type Played } from './playback.ts';
import { readViolations, type Violation } from './prism-violations.ts';

/** What Prism makes of an answer; undefined: it gave an answer of its own instead. */
export type AskPrism = (request: WireRequest, answer: Played) => Promise<readonly Violation[] | undefined>;

/** Milliseconds. It judges on this machine what has long been answered. */
export const LONGEST_THOUGHT = 3000;

/** Where exchanges are shown to Prism. */
export interface Proxy {
  readonly url: string;
  readonly playback: Playback;
  readonly client: Client;
}

/** @param base of the requests that are going to be shown */
export function createAskPrism({ url: proxy, playback, client }: Proxy, base: URL): AskPrism {
  return async (request, answer) => {
    const id = playback.put(answer);
    // The paths of a document begin below its server's own path.
    const path = request.url.pathname.slice(base.pathname.replace(/\/$/, '').length);
    const url = new URL(proxy + (path || '/') + request.url.search);
    const headers = [...request.headers, [EXCHANGE, id] as const];
    const unreadable = isUnreadable(request);
    const body = unreadable ? Buffer.from('{}') : request.body;
    try {
      // A chunked body is passed on with a length as well, which no server takes.
      const response = await client.send({ method: request.method, url, headers, body, chunked: false });
      // Prism answers in the target's stead where it cannot read a request, and in the place of every 501.
      if (!playback.wasPlayed(id) || response.status !== answer.status) return undefined;
      const violations = readViolations(headerOf(response, 'sl-violations') ?? '');
      return unreadable ? [...violations, NO_JSON] : violations;
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    } finally {
      playback.drop(id);
    }
  };
}

const NO_JSON: Violation = {
  part: 'request',
  isStatus: false,
  isBody: true,
  isDouble: false,
  text: 'the body is no JSON',
};

/** Prism never answers where a body that says it is JSON is none: it gets to see another, and judges the answer. */
function isUnreadable({ headers, body }: WireRequest): boolean {
  if (!body || !headers.some(([name, value]) => /^content-type$/i.test(name) && isJsonType(value)))
    return false;
  try {
    JSON.parse(Buffer.from(body).toString());
    return false;
  } catch {
    return true;
  }
}
