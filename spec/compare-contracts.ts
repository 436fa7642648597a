import type { Contract } from './contract.ts';
import { differing, type Pair } from './document/differing.ts';
import { rawChildren, type Spot } from './document/spot.ts';
import type { Operation } from './operation.ts';

export interface ContractDifference {
  readonly added: readonly Operation[];
  readonly removed: readonly Operation[];
  readonly changed: readonly ChangedOperation[];
}

export interface ChangedOperation {
  /** As it is afterwards. */
  readonly operation: Operation;
  /** What of it changed: `parameters`, `security`, `responses 200`, or another member of the operation. */
  readonly parts: readonly string[];
}

/** The operations by which two documents differ, found by method and path. */
export function compareContracts(before: Contract, after: Contract): ContractDifference {
  const old = new Map(before.operations.map((operation) => [keyOf(operation), operation]));
  const next = new Set(after.operations.map(keyOf));
  const common = after.operations.flatMap((operation) => {
    const same = old.get(keyOf(operation));
    return same ? [{ operation, changes: partChanges(partsOf(same), partsOf(operation)) }] : [];
  });
  const differs = differing(common.flatMap(({ changes }) => changes.pairs.map(([, pair]) => pair)));
  let at = 0;
  return {
    added: after.operations.filter((operation) => !old.has(keyOf(operation))),
    removed: before.operations.filter((operation) => !next.has(keyOf(operation))),
    changed: common.flatMap(({ operation, changes }) => {
      const changed = changes.pairs.filter(() => differs[at++]).map(([name]) => nameOf(name));
      const parts = [...new Set([...changes.names.map(nameOf), ...changed])].sort();
      return parts.length > 0 ? [{ operation, parts }] : [];
    }),
  };
}

function keyOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The parts of an operation by name; what follows a tab tells those of one name apart. */
type Parts = ReadonlyMap<string, Spot | string>;

function partsOf({ spot, parameters, security }: Operation): Parts {
  const own = rawChildren(spot).flatMap(([key, member]): [string, Spot][] => {
    if (key === 'parameters' || key === 'security') return [];
    if (key !== 'responses') return [[key, member]];
    return rawChildren(member).map(([status, response]) => [`responses ${status}`, response]);
  });
  const requirements = security.map((all) =>
    all.map(({ scheme, kind, in: place, name }) => [scheme, kind, place, name]),
  );
  return new Map<string, Spot | string>([
    ...own,
    ...parameters.map((one): [string, Spot] => [`parameters\t${one.in} ${one.name}`, one.spot]),
    ['security', JSON.stringify(requirements)],
  ]);
}

function nameOf(part: string): string {
  return part.replace(/\t.*/s, '');
}

/** What is on one side only, or no part of the document, and what has to be compared. */
function partChanges(before: Parts, after: Parts) {
  const names: string[] = [];
  const pairs: [name: string, pair: Pair][] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(name), after.get(name)];
    if (typeof one === 'object' && typeof other === 'object') pairs.push([name, [one, other]]);
    else if (one !== other) names.push(name);
  }
  return { names, pairs };
}
