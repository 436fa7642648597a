import type { SentStep } from '../send/trail.ts';
import type { Finding } from './finding.ts';
import { presumedIn } from './law.ts';

/** Requests that may show a finding again. */
interface Reproduction {
  readonly steps: readonly SentStep[];
  /** What it shows depends on records that the run has not made. */
  readonly needsData: boolean;
}

/**
 * Those that a cause is best shown by come first: the one that was reproduced, what counts, plain requests, from nothing, the
 * fewest, those of the operation's own cases, and the shortest.
 * @param recipe what may reproduce it; undefined: that is not known, or was tried
 */
export function easeOf(finding: Finding, recipe?: Reproduction): readonly number[] {
  const { caseId, confirmation, exchange, knownUntil, steps, trail } = finding;
  const { headers = [], contentType, chunked, rawBody } = exchange.input;
  const requests = recipe?.steps.map(({ request }) => request) ?? [exchange.request];
  return [
    Number(confirmation?.caseId !== caseId),
    Number(knownUntil !== undefined),
    Number(presumedIn(finding) !== undefined),
    headers.length + [contentType, rawBody, chunked || undefined].filter((one) => one !== undefined).length,
    Number(trail.some(({ amongOthers }) => amongOthers)),
    Number(recipe?.needsData ?? false),
    recipe?.steps.length ?? steps?.length ?? 1,
    Number(!caseId.startsWith(`${exchange.operation.id}/`)),
    requests.reduce((sum, { url, body }) => sum + url.href.length + (body?.length ?? 0), 0),
  ];
}

/** Compares by the first number that differs. */
export function compareEase(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((number, at) => number !== other[at]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
