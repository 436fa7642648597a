import type { WireResponse } from '../../contract-tests/send/wire.ts';
import type { RecordedExchange } from '../har/recorded-exchange.ts';
import type { ObservedRequest } from '../observe/observed.ts';

/** The request of a recorded exchange, for an observer. */
export function sentOf({ request, startedAt, ms }: RecordedExchange): ObservedRequest {
  // Without its duration it is not known what else was under way.
  return { ...request, startedAt: ms === undefined ? undefined : startedAt };
}

/** The response to it; undefined: none came. */
export function shownOf({ response, ms }: RecordedExchange): WireResponse | undefined {
  if (!response) return undefined;
  const { status, headers, body, bodyMissing } = response;
  return { status, headers, body, cut: bodyMissing, ms: ms ?? 0 };
}
