import type { Operation } from '#spec';
import type { Source } from '../sessions/preferences/rules.ts';

/** Who responds to operations: by operationId, `GET /things`, `tag:NAME` or `all`. */
export type Sources = Readonly<Record<string, Source>>;

/** Compiles who responds to an operation: its own name takes precedence over its tag, and that over `all`. */
export function compileSources(sources: Sources): (operation: Operation | undefined) => Source {
  const rank = (name: string) => (name === 'all' ? 0 : name.startsWith('tag:') ? 1 : 2);
  const ranked = Object.entries(sources).sort(([one], [other]) => rank(one) - rank(other));
  return (operation) => {
    const isMeant = (name: string) => name === 'all' || (operation && isNamed(operation, name));
    return ranked.findLast(([name]) => isMeant(name))?.[1] ?? 'auto';
  };
}

/** The unknown names, a sentence each; empty: the document has them all. */
export function unknownSources(sources: Sources, operations: readonly Operation[]): string[] {
  return Object.keys(sources)
    .filter((name) => name !== 'all' && !operations.some((operation) => isNamed(operation, name)))
    .map((name) => {
      const like = operations.find(({ id }) => id.toLowerCase() === name.toLowerCase());
      const hint = like ? `; it has "${like.id}"` : '';
      return `the document has no operation "${name}"${hint}; an operation is named by its operationId, as METHOD /path, by tag:NAME, or all of them by all`;
    });
}

function isNamed({ id, method, path, tags }: Operation, name: string): boolean {
  if (name === id) return true;
  if (name.startsWith('tag:')) return tags.includes(name.slice('tag:'.length));
  const [, verb = '', template] = /^([A-Za-z]+)\s+(\/.*)$/.exec(name) ?? [];
  return verb.toUpperCase() === method && template === path;
}
