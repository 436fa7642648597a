import { isRecord, toFragment } from '../json/json-value.ts';
import { isData, isMapOf } from './find-references.ts';
import type { Place, Resource } from './schema-resources.ts';
import type { SourceFile } from './source-file.ts';
import { isReference, type Spot } from './spot.ts';

/**
 * The dynamic scope that a `$dynamicRef` is resolved in (JSON Schema 2020-12 core §8.2.3.2). For each name of a
 * `$dynamicAnchor` it has the schema with that anchor in the outermost resource that a validator has entered.
 */
interface Scope {
  readonly targets: ReadonlyMap<string, Place>;
  /** The copies made for this scope, by their originals. */
  readonly copies: WeakMap<object, object>;
}

export interface DynamicScopes {
  /**
   * The value at a place with each `$dynamicRef` below it replaced by a `$ref` to its target in the current scope.
   * @param reference the reference that was followed to this place, as returned by this function; undefined for the
   * first file
   */
  valueAt(place: Spot, reference?: unknown): unknown;
}

interface Lookup {
  resourceAt(place: Place): Resource;
  /** The target of a reference, unchanged. */
  find(reference: Spot): Spot | string;
  urlOf(file: SourceFile): string;
  /** Copies of these values are added to it. */
  readonly rebuilt: Set<unknown>;
}

/**
 * A schema with a `$dynamicRef` has a different meaning for each way that leads to it. Each of these becomes a separate
 * value whose references have fixed targets, so that no other module has to know about dynamic scopes.
 */
export function createDynamicScopes({ resourceAt, find, urlOf, rebuilt }: Lookup): DynamicScopes {
  const scopes = new Map<string, Scope>();
  /** The scope of each reference, by the copied object that contains it. */
  const scopeOfReference = new WeakMap<object, Scope>();
  const outermost = scopeWith(new Map());

  function scopeWith(targets: ReadonlyMap<string, Place>): Scope {
    const key = JSON.stringify([...targets].map(([name, to]) => [name, urlOf(to.file), to.path]).sort());
    const scope = scopes.get(key) ?? { targets, copies: new WeakMap() };
    scopes.set(key, scope);
    return scope;
  }

  function entered({ targets, ...scope }: Scope, { file, dynamicAnchors }: Resource): Scope {
    const added = [...dynamicAnchors].filter(([name]) => !targets.has(name));
    if (added.length === 0) return { targets, ...scope };
    return scopeWith(new Map([...targets, ...added.map(([name, path]) => [name, { file, path }] as const)]));
  }

  function copy(spot: Spot, isMap: boolean, from: Scope): unknown {
    const { value, path } = spot;
    if (typeof value !== 'object' || value === null) return value;
    const scope =
      typeof (value as { $id?: unknown }).$id === 'string' ? entered(from, resourceAt(spot)) : from;
    const earlierCopy = scope.copies.get(value);
    if (earlierCopy) return earlierCopy;
    const isName = isMap || Array.isArray(value);
    const members = Object.entries(value).map(([key, member]): [string, unknown] => {
      const inner = { ...spot, path: [...path, key], value: member };
      return [key, !isName && isData(key, member) ? member : copy(inner, !isName && isMapOf(key), scope)];
    });
    const made = Array.isArray(value)
      ? members.map(([, item]) => item)
      : led(Object.fromEntries(members), spot, isMap, scope);
    scope.copies.set(value, made);
    if (isReference(made)) scopeOfReference.set(made, scope);
    if (rebuilt.has(value)) rebuilt.add(made);
    return Object.freeze(made);
  }

  /** Replaces the `$dynamicRef` of a schema by a `$ref`; one without a target stays. */
  function led(schema: Record<string, unknown>, spot: Spot, isMap: boolean, scope: Scope): object {
    const { $dynamicRef, ...others } = schema;
    if (isMap || typeof $dynamicRef !== 'string') return schema;
    const target = targetOf($dynamicRef, spot, scope);
    if (!target) return schema;
    const $ref = `${urlOf(target.file)}#${toFragment(target.path)}`;
    if (!Object.hasOwn(others, '$ref')) return { ...others, $ref };
    const ref = Object.freeze({ $ref });
    scopeOfReference.set(ref, scope);
    return { ...others, allOf: Object.freeze([...(Array.isArray(others.allOf) ? others.allOf : []), ref]) };
  }

  function targetOf(ref: string, spot: Spot, { targets }: Scope): Place | undefined {
    const first = find({ ...spot, value: { $ref: ref } });
    if (typeof first === 'string') return undefined;
    const anchor = ref.replace(/^[^#]*#?/, '');
    // The scope is only searched if the initial target has a dynamic anchor.
    const isDynamic = isRecord(first.value) && first.value.$dynamicAnchor === anchor;
    return (isDynamic ? targets.get(anchor) : undefined) ?? first;
  }

  return {
    valueAt(place, reference) {
      const before = (isRecord(reference) && scopeOfReference.get(reference)) || outermost;
      return copy(place, false, entered(before, resourceAt(place)));
    },
  };
}
