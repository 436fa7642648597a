import { type DocumentedResponse, explicitStatuses, type Operation, responseFor } from '#spec';

/** What both documents say of one status of an operation, or of a range of them. */
export interface ResponsePair {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  /** The first status of a range. */
  readonly status: number;
  readonly old: DocumentedResponse;
  readonly new: DocumentedResponse;
}

/** Every status that both describe. */
export function pairResponses(old: Operation, next: Operation): ResponsePair[] {
  const explicit = [...new Set([...explicitStatuses(old.responses), ...explicitStatuses(next.responses)])];
  const pairs = explicit.flatMap((status) => {
    const [before, after] = [responseFor(old.responses, status), responseFor(next.responses, status)];
    // `default` is for errors: nobody takes its body for that of a success.
    if (before?.key === 'default' && status < 400) return [];
    return before && after ? [{ key: String(status), status, old: before, new: after }] : [];
  });
  const wide = old.responses.flatMap((before) => {
    const after = next.responses.find(({ key }) => key === before.key);
    return after && !/^\d+$/.test(before.key)
      ? [{ key: before.key, status: statusIn(before.key), old: before, new: after }]
      : [];
  });
  return [...pairs, ...wide];
}

/** A status that a key stands for. */
function statusIn(key: string): number {
  if (key === 'default') return 500;
  return Number(key.replace('XX', '00'));
}
