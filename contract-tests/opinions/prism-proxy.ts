import { isJsonType, isRecord } from '#spec';
import { createClient, WireError } from '../send/client.ts';
import { headerOf, type WireRequest } from '../send/wire.ts';
import { type Installed, startProgram } from './judge.ts';
import { EXCHANGE, type Playback, type Played } from './playback.ts';

const START_TIMEOUT = 30_000;

/** Prism's validating proxy of a document, before a server that plays responses back. */
export interface PrismProxy {
  /** Undefined: Prism gave a response of its own, or none. @param base of the request's URL */
  validate(request: WireRequest, base: URL, response: Played): Promise<readonly PrismViolation[] | undefined>;
  isRunning(): boolean;
  close(): Promise<unknown>;
}

/**
 * Without `--errors`: with it Prism does not pass on what it finds invalid, and accepts undocumented statuses.
 * @param timeout for one exchange, in milliseconds
 * @throws JudgeFailure
 */
export async function startPrismProxy(
  playback: Playback,
  installed: Installed,
  timeout: number,
): Promise<PrismProxy> {
  const options = ['--port', '0', '--host', '127.0.0.1', '--no-multiprocess', '--no-cors'];
  const program = startProgram(installed, ['proxy', playback.document, playback.url, ...options], playback);
  const ready = program.waitFor(/Prism is listening on (http:\S+)/, START_TIMEOUT);
  const [, proxy] = await ready.catch(async (error) => {
    await program.stop();
    throw error;
  });
  const client = createClient({ timeout, direct: true });
  return {
    isRunning: program.isRunning,
    close() {
      client.close();
      return program.stop();
    },
    async validate({ method, url, headers, body }, base, response) {
      const id = playback.add(response);
      // The paths of a document begin below its server's own path.
      const path = url.pathname.slice(base.pathname.replace(/\/$/, '').length) || '/';
      const isReadable = !body || !declaresJson(headers) || isJson(body);
      try {
        const judged = await client.send({
          method,
          url: new URL(proxy + path + url.search),
          headers: [...headers, [EXCHANGE, id]],
          // Prism never responds where a body that is declared as JSON is none.
          body: isReadable ? body : Buffer.from('{}'),
          // Prism passes a chunked body on with a length as well, which no server accepts.
          chunked: false,
        });
        // Prism responds instead of the target where it cannot read a request, and replaces every 501.
        if (headerOf(judged, EXCHANGE) !== id || judged.status !== response.status) return undefined;
        const violations = readViolations(headerOf(judged, 'sl-violations') ?? '');
        return isReadable ? violations : [...violations, NO_JSON];
      } catch (error) {
        if (error instanceof WireError) return undefined;
        throw error;
      }
    },
  };
}

const NO_JSON: PrismViolation = {
  part: 'request',
  isStatus: false,
  isBody: true,
  isDouble: false,
  text: 'the body is no JSON',
};

function declaresJson(headers: WireRequest['headers']): boolean {
  return headers.some(([name, value]) => /^content-type$/i.test(name) && isJsonType(value));
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString());
    return true;
  } catch {
    return false;
  }
}

/** An entry of Prism's header `sl-violations`, of either severity. */
export interface PrismViolation {
  readonly part: 'request' | 'response';
  /** It is about the status as such, and the first that Prism looks at. */
  readonly isStatus: boolean;
  readonly isBody: boolean;
  /** No keyword of the document: Prism holds a 64-bit integer to what a double can hold. */
  readonly isDouble: boolean;
  readonly text: string;
}

/** Undocumented statuses are mere warnings to Prism: severities are not looked at. */
export function readViolations(header: string): PrismViolation[] {
  if (header === '') return [];
  return entriesOf(header).map(({ location, message }) => {
    const [part, ...path] = location;
    return {
      part: part === 'request' ? 'request' : 'response',
      isStatus: path.length === 0 && /status code/.test(message),
      isBody: path[0] === 'body',
      isDouble: /must be [<>]= -?9007199254740991$/.test(message),
      text: `${path.join('.')} ${message}`.trim(),
    };
  });
}

interface Entry {
  readonly location: readonly string[];
  readonly message: string;
}

/** More than 8 KiB of violations are cut in the midst of the JSON, and begin with a sentence: whole entries count. */
function entriesOf(header: string): Entry[] {
  const json = header.slice(Math.max(0, header.indexOf('[')));
  for (let end = json.length; end > 0; end = json.lastIndexOf('},{', end - 1)) {
    const list = parse(end === json.length ? json : `${json.slice(0, end)}}]`);
    if (Array.isArray(list)) return list.filter(isRecord).map(toEntry);
  }
  return [{ location: ['response'], message: header.slice(0, 200) }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toEntry({ location, message }: Record<string, unknown>): Entry {
  return { location: Array.isArray(location) ? location.map(String) : [], message: String(message ?? '') };
}
