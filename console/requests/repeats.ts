import type { LoggedRequest } from '../wire.ts';

/** Consecutive requests with the same response, as one row. */
export interface RequestGroup {
  readonly newest: LoggedRequest;
  readonly times: number;
  /** The number of the oldest one, which stays while more arrive. */
  readonly key: string;
}

/**
 * @param requests the newest first
 * @param selected the number of the selected request, whose neighbours are not grouped, so that each can be selected
 */
export function groupRepeats(
  requests: readonly LoggedRequest[],
  selected: number | undefined,
): readonly RequestGroup[] {
  const runs: LoggedRequest[][] = [];
  for (const request of requests) {
    const run = runs.at(-1);
    if (run?.[0] && isSame(run[0], request)) run.push(request);
    else runs.push([request]);
  }
  return runs.flatMap((run) =>
    run.some(({ number }) => number === selected) ? run.map((request) => groupOf([request])) : groupOf(run),
  );
}

function groupOf(run: readonly LoggedRequest[]): RequestGroup {
  return { newest: run[0] as LoggedRequest, times: run.length, key: String(run.at(-1)?.number) };
}

function isSame(one: LoggedRequest, other: LoggedRequest): boolean {
  return (
    one.target === other.target &&
    one.method === other.method &&
    one.status === other.status &&
    one.trace.answered.rule?.id === other.trace.answered.rule?.id &&
    noteOf(one) === noteOf(other)
  );
}

/** The result of a request, in a few words: its first error, what its query selected, or its new record; empty: none. */
export function noteOf({ code, message, violations = [], trace, status, response }: LoggedRequest): string {
  const [first] = violations;
  const created = status === 201 && response.headers.Location ? `→ ${response.headers.Location}` : '';
  if (!first) return message ?? code ?? trace.answered.selected ?? created;
  const more = violations.length - 1;
  return `${first.where} ${first.message}${more > 0 ? `, and ${more} more` : ''}`;
}
