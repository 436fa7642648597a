import { stringify } from 'yaml';
import type { Spot } from '../document/spot.ts';
import { jsonPath, toPointer } from '../json/json-value.ts';
import type { Basis } from '../meaning/basis.ts';
import type { CollectionMeaning, OperationMeaning, QueryMeaning } from '../meaning/meaning.ts';
import { type Conditional, conditionalOf } from '../meaning/statuses.ts';
import type { Operation } from '../operation.ts';
import { uniqueKeys } from '../resources/unique.ts';
import { familiesOf } from './families.ts';
import { queryFacts } from './list-form.ts';
import type { ListForm, Resource } from './resource.ts';

/** What to write in an overlay about a presumed fact: one line makes it a promise, the other one takes it back. */
export interface Settlement {
  /** The target of the action (OpenAPI Overlay 1.0.0 §4.4.3): `$.paths['/pets'].get`; in another file, where it stands. */
  readonly target: string;
  /** `x-paddock: { query: { status: status } }` */
  readonly meant: string;
  readonly otherwise: string;
}

type Said = Partial<OperationMeaning & CollectionMeaning>;

/** Undefined: no key of `x-paddock` says such a fact. */
export function settlementOf(
  {
    resources,
    operations,
  }: { readonly resources: readonly Resource[]; readonly operations: readonly Operation[] },
  fact: Basis,
): Settlement | undefined {
  for (const resource of resources) {
    const { actions, further, list, shape } = resource;
    const lists = [{ operation: actions.list, list }, ...further];
    for (const { operation, list: form } of lists) {
      const query = form && queryOf(form, fact);
      if (operation && query) return settle(operation.spot, { query }, { query: none(query) });
    }
    const key = uniqueKeys(resource).find((one) => one === fact);
    if (key) {
      const unique = { members: key.properties, ...(key.isPerParent && { perParent: true as const }) };
      return settle(shape.spot, { unique: [unique] }, { unique: [] });
    }
    const held = familiesOf(resources)
      .get(resource)
      ?.heldBy.find((one) => one === fact);
    if (held) return settle(shape.spot, { keptBy: [held.child.path] }, { keptBy: [] });
  }
  for (const operation of operations) {
    const [name] = CONDITIONS.find(([, key]) => conditionalOf({ operations }, operation)[key] === fact) ?? [];
    if (name) return settle(operation.spot, { conditional: [name] }, { conditional: [] });
  }
  return undefined;
}

const CONDITIONS = [
  ['tag', 'tag'],
  ['stale', 'refusesStale'],
  ['required', 'needsCondition'],
  ['notModified', 'notModified'],
] as const satisfies readonly (readonly [string, keyof Conditional])[];

/** What a fact says of a query parameter of a list; undefined: it is about something else. */
function queryOf(form: ListForm, fact: Basis): Readonly<Record<string, QueryMeaning>> | undefined {
  const found = queryFacts(form).find(({ basis }) => basis === fact);
  return found && { [found.name]: found.meaning };
}

function none(query: object): Readonly<Record<string, 'none'>> {
  return Object.fromEntries(Object.keys(query).map((name) => [name, 'none']));
}

function settle({ document, file, path }: Spot, meant: Said, otherwise: Said): Settlement {
  const { root } = document;
  const flow = (said: Said) => stringify(said, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
  return {
    target: file === root.file ? jsonPath(path, root.value) : `${file.uri}#${toPointer(path)}`,
    meant: `x-paddock: ${flow(meant)}`,
    otherwise: `x-paddock: ${flow(otherwise)}`,
  };
}
