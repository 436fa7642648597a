import type { Operation } from '../operation.ts';
import type { Draft, Group } from './draft.ts';
import { anchorsOf, indexOf } from './draft-index.ts';
import { furtherOf } from './further.ts';
import { besides, createIn, declaredIn, type Match, singularPath, viewIn } from './match.ts';
import { withoutSuffix } from './paths.ts';
import { schemaKey } from './record-schema.ts';
import type { Further, Singleton } from './resource.ts';
import { findSingletons } from './singletons.ts';

interface Related {
  readonly drafts: readonly Draft[];
  readonly further: ReadonlyMap<Draft, readonly Further[]>;
  readonly singletons: readonly Singleton[];
}

/**
 * Finds what operations do with the records of a collection on other paths: by their schemas, looked up in an index, and
 * by the paths above them. The main actions of a collection stay what its own paths say.
 */
export function relate(groups: readonly Group[]): Related {
  const drafts = groups.flatMap(({ draft }) => draft ?? []);
  const index = indexOf(drafts);
  const demoted = anchorsOf(drafts, index);
  const kept = drafts.filter((draft) => !demoted.has(draft));
  const context = { index, among: new Set(kept), byPath: byPathOf(kept) };
  const further = new Map<Draft, Further[]>();
  const add = (operation: Operation, match: Match) => {
    further.set(match.draft, [...(further.get(match.draft) ?? []), furtherOf(operation, match)]);
  };
  const waiting = groups.flatMap(({ rest }) => rest);
  for (const [{ actions }, draft] of demoted) {
    const { list, ...others } = actions;
    if (list) add(list, { draft, role: 'view', sign: 'schema' });
    waiting.push(...Object.values(others));
  }
  const unmatched = waiting.filter((operation) => {
    if (operation.declared.action === 'singleton') return true;
    const match =
      declaredIn(operation, context) ?? viewIn(operation, context) ?? createIn(operation, context);
    if (match) add(operation, match);
    return !match;
  });
  const isFree = ({ path }: Operation) => !context.byPath.has(withoutSuffix(path));
  const singletons = findSingletons(unmatched.filter(isFree), (shape) => index.has(schemaKey(shape)));
  const taken = new Set(singletons.flatMap(({ actions }) => Object.values(actions)));
  for (const operation of unmatched) {
    const match = taken.has(operation) ? undefined : besides(operation, context);
    if (match) add(operation, match);
  }
  return { drafts: kept, further, singletons };
}

function byPathOf(drafts: readonly Draft[]): ReadonlyMap<string, Draft> {
  const exact = drafts.map((draft) => [draft.path, draft] as const);
  return new Map([...drafts.map((draft) => [singularPath(draft.path), draft] as const), ...exact]);
}
