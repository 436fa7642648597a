import { stringify } from 'yaml';
import type { Contract } from '../contract.ts';
import { jsonPath, toPointer } from '../json/json-value.ts';
import type { Basis } from '../meaning/basis.ts';
import { valueAt } from '../resources/record-schema.ts';
import { keyOf, meaningOf, pathOfFact } from './meaning-of.ts';

/** The lines to write in an overlay to decide on a presumed fact: one makes it a promise, the other rejects it. */
export interface Settlement {
  /**
   * The target of the action (OpenAPI Overlay 1.0.0 §4.4.3): `$.paths['/pets'].get`; for a part of another file, its
   * location.
   */
  readonly target: string;
  /** `x-paddock: { query: { status: status } }` */
  readonly meant: string;
  readonly otherwise: string;
}

/** The value of each key that rejects a fact. */
const OTHERWISE = new Map<string, unknown>([
  ['query', 'none'],
  ['unique', []],
  ['keptBy', []],
  ['conditional', []],
]);

/** Undefined: no key of `x-paddock` can reject such a fact. */
export function settlementOf(contract: Contract, fact: Basis): Settlement | undefined {
  const path = pathOfFact(contract, fact) ?? [];
  const [of, owner, key = '', name] = path;
  const spot =
    of === 'operations'
      ? contract.operations.find((operation) => keyOf(operation) === owner)?.spot
      : contract.resources.find((resource) => resource.path === owner)?.shape.spot;
  if (!spot || !OTHERWISE.has(key)) return undefined;
  const { document, file } = spot;
  const say = (value: unknown) => {
    const facts = { [key]: name === undefined ? value : { [name]: value } };
    return `x-paddock: ${stringify(facts, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd()}`;
  };
  return {
    target:
      file === document.root.file
        ? jsonPath(spot.path, document.root.value)
        : `${file.uri}#${toPointer(spot.path)}`,
    meant: say(valueAt(meaningOf(contract).meaning, path)),
    otherwise: say(OTHERWISE.get(key)),
  };
}
