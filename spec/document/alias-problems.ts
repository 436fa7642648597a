import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isSeq,
  type Node,
  type Pair,
  visit,
  type Document as YamlDocument,
} from 'yaml';
import type { SyntaxProblem } from './syntax-problem.ts';

/** Looking up an alias takes a walk over all anchors: the square of this is what may have to be done. */
const MOST_ALIASES = 10_000;

/** Values that merge keys (`<<: *base`) may write out, each merge inside a merge counted again. */
const MOST_MERGED = 1_000_000;

/** What an alias stands for; undefined: nothing before it has that name. */
type Targets = ReadonlyMap<Alias, Node | undefined>;

/**
 * Aliases that lead nowhere, and those that cost too much before there are values to be measured. An alias shares its
 * value, but a merge key copies what it names, merges of merges too: a few lines can ask for more than any memory holds.
 */
export function aliasProblems(yaml: YamlDocument): SyntaxProblem[] {
  const targets = new Map<Alias, Node | undefined>();
  const merges: Pair[] = [];
  const anchors = new Map<string, Node>();
  visit(yaml, {
    Pair: (_, pair) => void (isMerge(pair) && merges.push(pair)),
    Node: (_, node) => {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node as Node);
      return targets.size > MOST_ALIASES ? visit.BREAK : undefined;
    },
  });
  if (targets.size > MOST_ALIASES)
    return [problemAt([...targets.keys()].at(-1), `there are more than ${MOST_ALIASES} aliases`)];
  const lost = [...targets].filter(([, target]) => target === undefined);
  if (lost.length > 0)
    return lost.map(([alias]) => problemAt(alias, `there is no anchor &${alias.source} before this alias`));
  return mergeProblems(merges, targets);
}

function mergeProblems(merges: readonly Pair[], targets: Targets): SyntaxProblem[] {
  const wrong = merges.filter(({ value }) => !isMergeable(value, targets));
  if (wrong.length > 0)
    return wrong.map(({ key }) => problemAt(key, 'what is merged must be a map, or a list of maps'));
  const costOf = compileCost(targets);
  let total = 0;
  const over = merges.find(({ value }) => {
    total += costOf(value as Node);
    return total > MOST_MERGED;
  });
  return over ? [problemAt(over.key, `the merge keys expand to more than ${MOST_MERGED} values`)] : [];
}

function isMergeable(value: unknown, targets: Targets): boolean {
  const source = isAlias(value) ? targets.get(value) : value;
  if (isMap(source)) return true;
  return isSeq(source) && source.items.every((item) => isMap(isAlias(item) ? targets.get(item) : item));
}

/** How many values a merge of this node writes out; one that contains itself: infinitely many. */
function compileCost(targets: Targets): (node: Node | null) => number {
  const known = new Map<Node, number>();

  function costOf(node: Node | null | undefined): number {
    if (isAlias(node)) return costOf(targets.get(node));
    if (isSeq(node)) return node.items.reduce((sum: number, item) => sum + costOf(item as Node), 1);
    return costInside(node);
  }

  /** Of a value within what is merged: aliases in there share theirs. */
  function costInside(node: Node | null | undefined): number {
    if (!isCollection(node)) return 1;
    const found = known.get(node);
    if (found !== undefined) return found;
    known.set(node, Number.POSITIVE_INFINITY);
    let cost = 1;
    for (const item of node.items as (Node | Pair)[]) {
      if (!isPair(item)) cost += costInside(item);
      else cost += isMerge(item) ? costOf(item.value as Node) : costInside(item.value as Node);
    }
    known.set(node, cost);
    return cost;
  }

  return costOf;
}

function isMerge({ key }: Pair): boolean {
  const name = (key as { value?: unknown } | null)?.value;
  return typeof name === 'symbol' && name.description === '<<';
}

function problemAt(node: unknown, message: string): SyntaxProblem {
  return { offset: (node as Node | undefined)?.range?.[0] ?? 0, message };
}
