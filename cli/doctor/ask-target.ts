import { type Contract, namesLoopback, type Operation, sample } from '#spec';
import {
  createClient,
  headerOf,
  type Keys,
  NO_CREDENTIAL,
  needsKey,
  planRequest,
  type RequestInput,
  requiredQuery,
  type Target,
  WireError,
  type WireResponse,
} from '#target';

/** How a target has responded to the request of a documented operation. */
export interface Answer {
  readonly operation: Operation;
  /** The path has parameters, whose values are made up: 404 is a right answer. */
  readonly isGuess: boolean;
  readonly status: number;
  /** Without parameters, in lower case; the empty string: there is none. */
  readonly type: string;
  readonly location: string | undefined;
  /** The status of the same request without its credential, where the operation needs one and one was sent. */
  readonly bare: number | undefined;
}

/** What a target has responded. */
export interface Heard {
  /** To a request for the base URL itself; a text says why none came. */
  readonly base: WireResponse | string;
  /** When the response to that came, in milliseconds since 1970. */
  readonly at: number;
  readonly answers: readonly Answer[];
}

/** What is sent with each request. */
export interface Sender extends Keys {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds for one exchange. */
  readonly timeout: number;
}

/** Documented operations that are requested at most: enough to distinguish a wrong prefix from a removed operation. */
const MOST = 8;

/** Sends GET requests only, one after another: to the base URL, then to documented operations. */
export async function askTarget(
  { base, tls }: Target,
  contract: Contract | undefined,
  { timeout, headers, ...keys }: Sender,
): Promise<Heard> {
  const client = createClient({ timeout, direct: namesLoopback(base.hostname), tls });
  const common = { base, headers, ...keys };

  async function ask(operation: Operation, more: RequestInput): Promise<WireResponse> {
    const path = Object.fromEntries(
      operation.parameters
        .filter((one) => one.in === 'path')
        .map(({ name, shape }) => [name, sample(shape, { key: name })]),
    );
    return client.send(
      planRequest(common, operation, { path, query: requiredQuery(operation, {}), ...more }),
    );
  }

  const isKeyed = keys.apiKey !== undefined || Object.keys(keys.credentials).length > 0;
  const answers: Answer[] = [];
  try {
    const first = { method: 'GET', url: base, body: undefined, chunked: false };
    const response = await client.send({ ...first, headers: [['Accept', '*/*'], ...headers] });
    const at = Date.now();
    for (const operation of contract ? toAsk(contract) : []) {
      const got = await ask(operation, {}).catch(ignoreWireError);
      if (!got) continue;
      const again =
        isKeyed && needsKey(operation)
          ? await ask(operation, { presented: NO_CREDENTIAL }).catch(ignoreWireError)
          : undefined;
      answers.push({
        operation,
        isGuess: isTemplate(operation),
        status: got.status,
        type: (headerOf(got, 'content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase(),
        location: headerOf(got, 'location'),
        bare: again?.status,
      });
    }
    return { base: response, at, answers };
  } catch (error) {
    if (error instanceof WireError) return { base: error.message, at: Date.now(), answers };
    throw error;
  } finally {
    client.close();
  }
}

function ignoreWireError(error: unknown): undefined {
  if (!(error instanceof WireError)) throw error;
}

/** Those whose answer says most come first: without made-up values, with a credential, not about to be removed. */
function toAsk({ operations }: Contract): Operation[] {
  const rank = (operation: Operation) =>
    (isTemplate(operation) ? 4 : 0) + (operation.deprecated ? 2 : 0) + (needsKey(operation) ? 0 : 1);
  return operations
    .filter(({ method }) => method === 'GET')
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MOST);
}

function isTemplate({ path }: Operation): boolean {
  return path.includes('{');
}
