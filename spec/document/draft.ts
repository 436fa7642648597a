import { isRecord, setMember } from '../json/json-value.ts';
import type { SourceFile } from './source-file.ts';

/** The source of a part of a changed file. */
export interface Origin {
  readonly file: SourceFile;
  readonly path: readonly string[];
}

/**
 * The origins of members that did not come from their container's origin under the same key; a number is the former
 * index of an item.
 */
type Moved = Map<string, Origin | number>;

type Container = Record<string, unknown>;

/**
 * The value of a file, changed step by step. The original value is never modified: a container is copied before its
 * first change in each step. Every part keeps its source position.
 */
export class Draft {
  readonly #file: SourceFile;
  #value: unknown;
  readonly #moved = new WeakMap<object, Moved>();
  /** Containers copied in this step, and reachable by one path only. */
  #own = new WeakSet<object>();

  constructor(file: SourceFile) {
    this.#file = file;
    this.#value = file.value;
  }

  get value(): unknown {
    return this.#value;
  }

  /** Ends the exclusive use of earlier copies: a later action may copy a part, so that several paths share it. */
  beginStep(): void {
    this.#own = new WeakSet();
  }

  at(path: readonly string[]): unknown {
    return path.reduce((here: unknown, step) => memberOf(here, step), this.#value);
  }

  originOf(path: readonly string[]): Origin {
    let here = this.#value;
    let origin: Origin = { file: this.#file, path: [] };
    for (const step of path) {
      const moved = isContainer(here) ? this.#moved.get(here)?.get(step) : undefined;
      origin =
        typeof moved === 'object' ? moved : { ...origin, path: [...origin.path, String(moved ?? step)] };
      here = memberOf(here, step);
    }
    return origin;
  }

  /**
   * Merges a value into the one at this path: objects member by member, and a list is appended to a list. Any other
   * value replaces the old one; a value added to a list becomes an item.
   */
  merge(path: readonly string[], added: unknown, from: Origin): void {
    const here = this.at(path);
    if (Array.isArray(here)) this.#append(path, added, from);
    else if (isRecord(here) && isRecord(added)) this.#mergeMembers(path, added, from);
    else this.#put(path, added, from);
  }

  /** Removes members and items. No path may be that of the whole value. */
  remove(paths: readonly (readonly string[])[]): void {
    const byParent = Map.groupBy(paths, (path) => JSON.stringify(path.slice(0, -1)));
    const groups = [...byParent].map(([text, group]) => ({
      parent: JSON.parse(text) as string[],
      keys: new Set(group.map((path) => path.at(-1) as string)),
    }));
    // Deepest first, because removing an item changes the paths of the items after it.
    groups.sort((left, right) => right.parent.length - left.parent.length);
    for (const { parent, keys } of groups) this.#removeIn(this.#ownAt(parent), keys);
  }

  #append(path: readonly string[], added: unknown, from: Origin): void {
    const list = this.#ownAt(path) as unknown as unknown[];
    const items = Array.isArray(added) ? added : [added];
    for (const [index, item] of items.entries()) {
      this.#movedIn(list).set(String(list.length), Array.isArray(added) ? below(from, String(index)) : from);
      list.push(item);
    }
  }

  #mergeMembers(path: readonly string[], added: Container, from: Origin): void {
    for (const [key, member] of Object.entries(added)) {
      const inner = [...path, key];
      const target = this.at(inner);
      const isSame =
        isContainer(target) && isContainer(member) && Array.isArray(target) === Array.isArray(member);
      if (isSame) this.merge(inner, member, below(from, key));
      else this.#put(inner, member, below(from, key));
    }
  }

  #put(path: readonly string[], value: unknown, from: Origin): void {
    const key = path.at(-1) as string;
    const container = this.#ownAt(path.slice(0, -1));
    setMember(container, key, value);
    this.#movedIn(container).set(key, from);
  }

  #removeIn(container: Container, keys: ReadonlySet<string>): void {
    const moved = this.#movedIn(container);
    if (!Array.isArray(container)) {
      for (const key of keys) {
        delete container[key];
        moved.delete(key);
      }
      return;
    }
    const kept = [...container.keys()].filter((index) => !keys.has(String(index)));
    const places = kept.map((index) => moved.get(String(index)) ?? index);
    for (const [to, index] of kept.entries()) container[to] = container[index];
    container.length = kept.length;
    moved.clear();
    for (const [to, place] of places.entries()) moved.set(String(to), place);
  }

  /** The container at this path, copied if needed, so that it may be changed. */
  #ownAt(path: readonly string[]): Container {
    let here = this.#owned(this.#value as Container);
    this.#value = here;
    for (const step of path) {
      const inner = this.#owned(here[step] as Container);
      setMember(here, step, inner);
      here = inner;
    }
    return here;
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? ([...container] as unknown as Container) : { ...container };
    const moved = this.#moved.get(container);
    if (moved) this.#moved.set(copy, new Map(moved));
    this.#own.add(copy);
    return copy;
  }

  #movedIn(container: object): Moved {
    const moved = this.#moved.get(container) ?? new Map();
    this.#moved.set(container, moved);
    return moved;
  }
}

function below({ file, path }: Origin, key: string): Origin {
  return { file, path: [...path, key] };
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: unknown, key: string): unknown {
  return isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
