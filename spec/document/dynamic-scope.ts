import { isRecord, toFragment } from '../json/json-value.ts';
import { isData, isMapOf } from './find-references.ts';
import type { Place, Resource } from './schema-resources.ts';
import type { SourceFile } from './source-file.ts';
import { isReference, type Spot } from './spot.ts';

/**
 * What a `$dynamicRef` depends on (JSON Schema 2020-12 core §8.2.3.2): by the name of a `$dynamicAnchor` the schema that
 * has it in the outermost of the resources through which a validator has come.
 */
interface Scope {
  readonly targets: ReadonlyMap<string, Place>;
  /** What was copied for it, by what it was copied of. */
  readonly copies: WeakMap<object, object>;
}

export interface DynamicScopes {
  /**
   * The value at a place as it is to be read there: each `$dynamicRef` below it is a `$ref` to where it leads.
   * @param reference by which one has come there, as this function has returned it; undefined for the first file
   */
  valueAt(place: Spot, reference?: unknown): unknown;
}

interface Lookup {
  resourceAt(place: Place): Resource;
  /** The value to which a reference leads, as it is written. */
  find(reference: Spot): Spot | string;
  urlOf(file: SourceFile): string;
  /** What is in it has its copies in it, too. */
  readonly rebuilt: Set<unknown>;
}

/**
 * A schema with a `$dynamicRef` means another one for each way that leads to it. So each of these is a value of its own,
 * in which all references lead to one place, and nothing else has to know of scopes.
 */
export function createDynamicScopes({ resourceAt, find, urlOf, rebuilt }: Lookup): DynamicScopes {
  const scopes = new Map<string, Scope>();
  /** By the copy of the object that has the reference. */
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

  /** With its `$dynamicRef` as a `$ref`; one that leads nowhere stays. */
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
    // Only one that leads to a dynamic anchor in the first place is looked up.
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
