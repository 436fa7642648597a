import type { SourceFile } from './source-file.ts';
import { addWarning, type Document, type Repair, type Spot } from './spot.ts';

/** Warns that a member cannot be used, and ignores it. */
export function ignoreMember(spot: Spot, message: string): void {
  readAs(spot, undefined, `${message}; it is ignored`);
}

/** Warns that a value cannot be used, and replaces it. */
export function readAs(spot: Spot, value: unknown, message: string): void {
  addWarning(spot, message);
  spot.document.repairs.push({ spot, value });
}

/** The document with its repairs applied; every part keeps its source position. */
export function repaired(document: Document): Document {
  const byFile = Map.groupBy(document.repairs, ({ spot }) => spot.file);
  const changed = new Map<SourceFile, SourceFile>();
  const rebuilt = new Set<unknown>();
  for (const [file, repairs] of byFile)
    changed.set(file, { ...file, value: rebuild(file.value, treeOf(repairs), rebuilt) });
  return document.withFiles(changed, rebuilt.union(document.rebuilt));
}

/** The repairs of a file as a tree by their paths, so that each container is copied once. */
interface Tree {
  readonly below: Map<string, Tree>;
  repair?: Repair;
}

function treeOf(repairs: readonly Repair[]): Tree {
  const root: Tree = { below: new Map() };
  for (const repair of repairs) {
    let here = root;
    for (const step of repair.spot.path) {
      const next = here.below.get(step) ?? { below: new Map() };
      here.below.set(step, next);
      here = next;
    }
    here.repair ??= repair;
  }
  return root;
}

function rebuild(value: unknown, tree: Tree, rebuilt: Set<unknown>): unknown {
  const { below, repair } = tree;
  if (repair) return repair.value;
  if (typeof value !== 'object' || value === null || below.size === 0) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    const inside = below.get(key);
    return [key, inside ? rebuild(member, inside, rebuilt) : member];
  });
  // A removed item leaves a gap, since positions are found by index.
  const made = Array.isArray(value)
    ? members.map(([, item]) => item)
    : Object.fromEntries(members.filter(([, member]) => member !== undefined));
  rebuilt.add(Object.freeze(made));
  return made;
}
