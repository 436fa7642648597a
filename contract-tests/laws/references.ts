import { type Contract, foldedName, isRecord, wordsOf } from '#spec';
import { type Evidence, recordOf } from './evidence.ts';
import { isIdName } from './mark.ts';
import { perContract } from './operation-role.ts';

/** More are not remembered: a reference beyond them counts as made up. */
const MOST = 20_000;

/** The ids that records of the service have shown: their own, and those of what they refer to. */
interface References {
  note(evidence: Evidence): void;
  /** Takes in what {@link referencesIn} has found in a response. */
  add(found: ShownReferences): void;
  readonly has: (name: string, value: unknown) => boolean;
  /** No more are remembered. */
  readonly isFull: boolean;
}

/** What one response shows of ids, and of members that refer to something, each with its value. */
export interface ShownReferences {
  readonly ids: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
}

export function referencesIn(evidence: Evidence): ShownReferences {
  const ids = new Set<string>();
  const named = new Set<string>();
  const { contract, page, role, succeeded } = evidence;

  function lookIn(value: unknown, property: string | undefined): void {
    if (Array.isArray(value)) for (const item of value) lookIn(item, property);
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (refers(contract, name)) for (const one of scalarsIn(member)) named.add(`${name}\n${one}`);
      if (name === property) for (const one of scalarsIn(member)) ids.add(one);
      lookIn(member, undefined);
    }
  }

  if (succeeded) lookIn(page?.records ?? recordOf(evidence), role?.resource.id?.property);
  return { ids, named };
}

export function createReferences(): References {
  const ids = new Set<string>();
  const named = new Set<string>();
  const isFull = () => ids.size + named.size > MOST;
  const add = (found: ShownReferences) => {
    if (isFull()) return;
    for (const one of found.ids) ids.add(one);
    for (const one of found.named) named.add(one);
  };
  return {
    add,
    note(evidence) {
      if (!isFull()) add(referencesIn(evidence));
    },
    has: (name, value) => ids.has(String(value)) || named.has(`${name}\n${value}`),
    get isFull() {
      return isFull();
    },
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
