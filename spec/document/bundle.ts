import { toFragment } from '../json/json-pointer.ts';
import { findReferences } from './external-references.ts';
import type { SourceFile } from './source-file.ts';
import type { Document, Spot } from './spot.ts';

/** The member of a bundle that holds the other files of the document. */
const FILES = 'x-paddock-files';

/**
 * The document as one value, for readers that get one file: those that its references lead to are members of an
 * extension, and each reference to them, or within them, leads there. Without such files it is the root itself.
 */
export function bundle({ root }: Document): unknown {
  const places = new Map<SourceFile, string>([[root.file, '#']]);
  const others: unknown[] = [];

  function fragmentOf({ file, path }: Spot): string {
    const place = places.get(file) ?? `#/${FILES}/${places.size - 1}`;
    places.set(file, place);
    return place + toFragment(path);
  }

  function rewritten(file: SourceFile): unknown {
    const isRoot = file === root.file;
    const changes = new Map<string, string>();
    for (const { ref, path } of findReferences(file.value, (one) => !isRoot || !one.startsWith('#'))) {
      const spot: Spot = { ...root, file, path: path.slice(0, -1), value: { $ref: ref } };
      const target = root.document.resolve(spot);
      if (target) changes.set(JSON.stringify(path), fragmentOf(target));
    }
    return changes.size === 0 ? file.value : withChanges(file.value, changes);
  }

  const value = rewritten(root.file);
  // Each file may lead to further ones, which come after it.
  for (const file of places.keys()) if (file !== root.file) others.push(rewritten(file));
  if (others.length === 0) return value;
  return { ...(value as object), [FILES]: Object.fromEntries(others.entries()) };
}

/** The value with other texts at these paths; a path is the text of a JSON array. */
function withChanges(root: unknown, changes: ReadonlyMap<string, string>): unknown {
  const path: string[] = [];

  function visit(value: unknown): unknown {
    if (typeof value === 'string' && path.at(-1) === '$ref')
      return changes.get(JSON.stringify(path)) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([key, member]): [string, unknown] => {
      path.push(key);
      const next = visit(member);
      path.pop();
      return [key, next];
    });
    return Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
  }

  return visit(root);
}
