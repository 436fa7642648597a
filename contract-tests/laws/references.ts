import { type Contract, foldedName, isRecord, wordsOf } from '#spec';
import { type Evidence, recordOf } from './evidence.ts';
import { isIdName } from './mark.ts';
import { perContract } from './operation-role.ts';

/** More are not remembered: a reference beyond them counts as made up. */
const MOST = 20_000;

/** The ids that records of the service have shown: their own, and those of what they refer to. */
interface References {
  note(evidence: Evidence): void;
  readonly has: (name: string, value: unknown) => boolean;
}

export function createReferences(): References {
  const ids = new Set<string>();
  const named = new Set<string>();

  function lookIn(contract: Contract, value: unknown, property: string | undefined): void {
    if (Array.isArray(value)) for (const item of value) lookIn(contract, item, property);
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (refers(contract, name)) for (const one of scalarsIn(member)) named.add(`${name}\n${one}`);
      if (name === property) for (const one of scalarsIn(member)) ids.add(one);
      lookIn(contract, member, undefined);
    }
  }

  return {
    note(evidence) {
      const { contract, page, role, succeeded } = evidence;
      if (!succeeded || ids.size + named.size > MOST) return;
      lookIn(contract, page?.records ?? recordOf(evidence), role?.resource.id?.property);
    },
    has: (name, value) => ids.has(String(value)) || named.has(`${name}\n${value}`),
  };
}

/** `pet_id`, `queue_names`, and `pool_name` where a path has `{pool_name}`. */
function refers(contract: Contract, name: string): boolean {
  return isIdName(name) || namesSeveral(name) || pathNames(contract).has(name);
}

const namesSeveral = (name: string) => wordsOf(name).length > 1 && SEVERAL.has(wordsOf(name).at(-1) ?? '');

/** What several others are called. */
const SEVERAL = new Set(['names', 'slugs', 'keys']);

/** What paths name records by: a body that has it refers to one. An `id` alone is its own. */
const pathNames = perContract(({ operations }): ReadonlySet<string> => {
  const parameters = operations.flatMap((operation) => operation.parameters);
  const names = parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : []));
  return new Set(names.filter((name) => foldedName(name).length > 2));
});

function scalarsIn(value: unknown): string[] {
  return [value].flat().flatMap((one) => (one === null || typeof one === 'object' ? [] : [String(one)]));
}

/**
 * The members of a request that refer to something that no response has shown: the run had to make an id up, and the service
 * need not have anything by it.
 */
export function madeUpReferences({ contract, request, role, model }: Evidence): readonly string[] {
  const parents = role?.resource.parents ?? [];
  const own = new Set([role?.resource.id?.property, ...parents.map(({ property }) => property)]);
  const madeUpIn = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(madeUpIn);
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      if (!refers(contract, name) || own.has(name)) return madeUpIn(member);
      return scalarsIn(member).some((one) => !model.hasShown(name, one)) ? [name] : [];
    });
  };
  return [...new Set([...madeUpIn(request.body), ...madeUpIn(request.parameters.query)])];
}
