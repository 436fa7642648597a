import { roughlyFits, type Shape, type Validators } from '#spec';
import { namedMembers } from './members.ts';

type Members = Readonly<Record<string, unknown>>;

/** How well members fit one branch of a schema. */
export interface Fit {
  /** By what needs no validator. */
  mayFit(members: Members): boolean;
  misfitOf(members: Members): Misfit;
}

/** Members that are wrong, that it does not name, and all violations: what is missing may be the service's to set. */
type Misfit = readonly [wrong: number, unknown: number, all: number];

export function compileFit(branch: Shape, validators: Validators): Fit {
  // As a request, because members that the service sets cannot be there yet.
  const checks = branch.parts.map((part) => validators.compile(part, 'request'));
  const named = namedMembers(branch);
  return {
    mayFit: (members) => roughlyFits(branch, members),
    misfitOf(members) {
      const violations = checks.flatMap((check) => check(members));
      const wrong = violations.filter(({ keyword }) => keyword !== 'required').length;
      const unknown = Object.keys(members).filter((name) => !named.has(name)).length;
      return [wrong, unknown, violations.length];
    },
  };
}

/** The branch that fits best; it need not fit in full, since a record read back lacks its `writeOnly` members. */
export function bestFit<T extends Fit>(branches: readonly T[], members: Members): T {
  // Most branches differ in what needs no validator, which takes half a second to compile for some schemas.
  const [only, ...others] = branches.filter((branch) => branch.mayFit(members));
  if (only && others.length === 0) return only;
  const misfits = new Map(branches.map((branch) => [branch, branch.misfitOf(members)]));
  const [best] = [...branches].sort((one, other) => compare(misfits.get(one), misfits.get(other)));
  return best as T;
}

function compare(one: Misfit | undefined, other: Misfit | undefined): number {
  const differences = (one ?? []).map((count, index) => count - (other?.[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
