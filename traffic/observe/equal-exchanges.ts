import type { Response } from '../../contract-tests/send/response.ts';
import type { WireResponse } from '../../contract-tests/send/wire.ts';
import type { ObservedRequest } from './observed.ts';
import type { ReadInput } from './read-request.ts';

const MOST = 2000;
/** Bytes of bodies in all, and of one. */
const MOST_BYTES = 32 * 2 ** 20;
const LONGEST = 2 ** 20;

/** A request as it was read, and the last response to it that broke nothing by itself. */
export interface KnownRequest {
  readonly given: ReadInput;
  /** Whether it may come again: it has no body. */
  readonly mayRepeat: boolean;
  answer: { readonly identity: string; readonly body: Buffer; readonly response: Response } | undefined;
}

/**
 * Requests without a body that were seen before, with the same bytes: reading them again, and judging a response by itself
 * that is the same, too, would give the same. What an exchange says of records is judged each time.
 */
export class EqualExchanges {
  readonly #known = new Map<string, KnownRequest>();
  #bytes = 0;

  /** @param read is called for a request that is new */
  read(request: ObservedRequest, read: () => ReadInput): KnownRequest {
    if (request.body !== undefined || request.bodyMissing)
      return { given: read(), mayRepeat: false, answer: undefined };
    const key = `${request.method} ${request.url.href}\n${linesOf(request.headers)}`;
    const known = this.#known.get(key);
    if (known) return known;
    const made: KnownRequest = { given: read(), mayRepeat: true, answer: undefined };
    if (this.#known.size >= MOST || this.#bytes > MOST_BYTES) {
      this.#known.clear();
      this.#bytes = 0;
    }
    this.#known.set(key, made);
    return made;
  }

  /** The response as it was read, if it is the same but for its time; undefined: it is to be judged. */
  judged({ answer }: KnownRequest, response: WireResponse): Response | undefined {
    if (!answer?.body.equals(response.body) || answer.identity !== identityOf(response)) return undefined;
    return { ...answer.response, ...response };
  }

  /** The response breaks nothing by itself. */
  keep(known: KnownRequest, response: Response): void {
    const { buffer, byteOffset, length } = response.body;
    if (!known.mayRepeat || length > LONGEST) return;
    this.#bytes += length - (known.answer?.body.length ?? 0);
    // No copy: the response has its body anyway.
    known.answer = {
      identity: identityOf(response),
      body: Buffer.from(buffer, byteOffset, length),
      response,
    };
  }
}

/** All of a response but its body, and the header that each response has anew. */
function identityOf({ status, headers, cut, left }: WireResponse): string {
  return `${status} ${cut} ${left}\n${linesOf(headers.filter(([name]) => !/^date$/i.test(name)))}`;
}

function linesOf(headers: WireResponse['headers']): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}
