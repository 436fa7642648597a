import type { Operation } from '#spec';
import type { Awaitable, MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import type { Task } from '../records/actions/action.ts';
import type { Decided } from '../sessions/preferences/decided.ts';
import type { Source } from '../sessions/preferences/rules.ts';
import type { Session } from '../sessions/session.ts';
import type { Endpoint } from './endpoint.ts';

/** A real service behind the mock, which responds to what it has. */
export interface Relay {
  /** Who responds to a request: as a rule says, else as the options do. Without an operation: of a path that the document does not have. */
  sourceOf(
    operation: Operation | undefined,
    task: Task | undefined,
    session: Session,
    decided: Decided,
  ): Awaitable<Source>;
  /**
   * The response of the real service; or what `mocked` gives, where the service lacks the operation and the source is `auto`.
   * No unsafe request is sent twice.
   */
  ask(asked: Asked, source: Source, mocked: () => Awaitable<Outcome>): Promise<Outcome>;
  /** Takes note of what the mock alone has responded. */
  note(asked: Asked, outcome: Outcome): Awaitable<Outcome>;
}

/** A request that may be sent on. */
export interface Asked {
  readonly request: MockRequest;
  /** Takes what was decided. */
  readonly decided: Decided;
  /** Undefined: of a path or method that the document does not have. */
  readonly matched: { readonly endpoint: Endpoint; readonly task: Task } | undefined;
}
