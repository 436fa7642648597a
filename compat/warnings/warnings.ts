import { type Operation, showPlace } from '#spec';
import type { Address } from '../address.ts';
import { placeAt, type Warning } from '../break.ts';
import type { Contracts } from '../contracts.ts';
import type { Pair } from '../pair.ts';
import { lostRequestBody, lostResponseBodies } from './bodies.ts';
import { lifecycle, removedAsAnnounced } from './lifecycle.ts';
import type { Note } from './note.ts';
import { changedParameters } from './parameters.ts';
import { addedScopes } from './scopes.ts';
import { changedStatuses } from './statuses.ts';

/** What a comparison of two operations shows, in the order in which it is told. */
const COMPARISONS: readonly ((old: Operation, next: Operation) => Note[])[] = [
  lifecycle,
  changedParameters,
  changedStatuses,
  lostResponseBodies,
  lostRequestBody,
  addedScopes,
];

/** What no exchange shows, and a client may still depend on: found by comparing the documents. */
export function warningsOf(contracts: Contracts, pairs: readonly Pair[], address: Address): Warning[] {
  const told = pairs.flatMap(({ old: operation, new: next, isOver }) => {
    const notes = next
      ? COMPARISONS.flatMap((compare) => compare(operation, next))
      : isOver
        ? [removedAsAnnounced(operation)]
        : [];
    return notes.map((note): Warning => ({ operation, ...note }));
  });
  return withoutRepeats([...told, ...changedBase(contracts, pairs, address)]);
}

function withoutRepeats(warnings: readonly Warning[]): Warning[] {
  return [
    ...new Map(warnings.map((one) => [`${one.operation.id} ${one.text} ${showPlace(one.at)}`, one])).values(),
  ];
}

function changedBase(
  { old, new: next }: Contracts,
  [first]: readonly Pair[],
  { hasMoved }: Address,
): Warning[] {
  const missing = old.servers.filter(
    ({ basePath }) => !next.servers.some((server) => server.basePath === basePath),
  );
  if (missing.length === 0 || !first || hasMoved) return [];
  const paths = [...new Set(missing.map(({ basePath }) => basePath || '/'))].join(', ');
  return [
    {
      operation: first.old,
      text: `and every other operation: no server of NEW has the base path ${paths}`,
      at: placeAt(next.document.root, 'servers'),
    },
  ];
}
