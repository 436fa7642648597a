import type { Store } from '../store/port.ts';
import { answerPreflight, isPreflight } from './cors.ts';
import { allowedMethods, answerElsewhere, type Elsewhere } from './elsewhere.ts';
import type { Endpoint } from './endpoint.ts';
import type { Answer, MockRequest, Reply } from './exchange.ts';
import { refuseInvalid, refuseUnreadable } from './invalid.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Finder, Found } from './route.ts';

/** From a request to its reply. Never rejects. */
export type Engine = (request: MockRequest) => Promise<Reply>;

export interface EngineContext {
  readonly find: Finder<Endpoint>;
  readonly elsewhere: Elsewhere;
  readonly store: Store;
  readonly maxBody: number;
  /** Told of what should never happen; the client sees only that it did. */
  readonly onBug: (error: unknown) => void;
}

export function createEngine(context: EngineContext): Engine {
  const { find, elsewhere, onBug } = context;
  return async (request) => {
    const found = find(request.path);
    if (isPreflight(request)) return answerPreflight(request, allowedMethods(found?.methods));
    const endpoint = found && endpointFor(found, request.method);
    const { refuse, finish } = endpoint ?? elsewhere;
    try {
      const outcome = endpoint
        ? await operate(context, endpoint, found, request)
        : await answerElsewhere(elsewhere, found, request);
      return finish(isRefusal(outcome) ? refuse(outcome) : outcome);
    } catch (error) {
      onBug(error);
      return finish(refuse({ refuse: 'bug', message: 'The mock failed at this request; its log says why' }));
    }
  };
}

/** A HEAD is answered like the GET that it stands for; its body is not sent (RFC 9110 §9.3.2). */
function endpointFor({ methods }: Found<Endpoint>, method: string): Endpoint | undefined {
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

/** Who asks, then what is asked, then the doing: a client without a key learns nothing else. */
async function operate(
  { store, maxBody }: EngineContext,
  { operation, guard, read, act }: Endpoint,
  { path }: Found<Endpoint>,
  request: MockRequest,
): Promise<Answer | Refusal> {
  const refusal = guard(request) ?? refuseUnreadable(request, maxBody);
  if (refusal) return refusal;
  const query = request.query === '' ? NO_QUERY : new URLSearchParams(request.query);
  const values = read({
    path,
    query,
    headers: request.headers,
    body: request.body as Uint8Array | undefined,
  });
  return refuseInvalid(operation, values) ?? (await act({ values, request, store }));
}

const NO_QUERY = new URLSearchParams();
