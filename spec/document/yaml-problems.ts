import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
  type Document as YamlDocument,
} from 'yaml';
import { type SyntaxProblem, TOO_DEEP } from './parsed-text.ts';

/** Problems that the parser has found. */
export function syntaxProblems({ errors }: YamlDocument, uri: string, text: string): SyntaxProblem[] {
  const json = errors.length > 0 && /\.json$/i.test(uri) ? jsonProblem(text) : undefined;
  if (json) return [json];
  return errors.map(({ pos: [offset], message }) => ({
    offset,
    // The YAML parser is recursive, and reports the end of the stack so.
    message: message.startsWith('Maximum call stack') ? TOO_DEEP : message,
  }));
}

/** Message and position of a JSON parser: those of YAML speak of flow maps and block collections. */
export function jsonProblem(text: string): SyntaxProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const [, reason, position] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
    if (position !== undefined) return { offset: Number(position), message: `this is no JSON: ${reason}` };
    if (!message.includes('end of JSON')) return undefined;
    return { offset: text.trimEnd().length, message: 'this is no JSON: it ends too early' };
  }
}

/** Problems of what the tree says: keys, and aliases with what they expand to. */
export function treeProblems(yaml: YamlDocument): SyntaxProblem[] {
  return [...keyProblems(yaml), ...aliasProblems(yaml)];
}

function keyProblems(yaml: YamlDocument): SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  visit(yaml, {
    Map(_, { items }) {
      for (const { key } of items)
        if (isCollection(key)) problems.push(problemAt(key, 'a key must be a text, and no list or map'));
    },
  });
  return problems;
}

/**
 * Keys that a map has twice, which YAML 1.2.2 §3.2.1.3 and OpenAPI 3.1 §4.3 forbid; JSON parsers and most of YAML take the
 * last one. The library's own check compares each key with all before it, which takes minutes for a map of a hundred thousand.
 */
export function repeatedKeys(yaml: YamlDocument): SyntaxProblem[] {
  const repeated: SyntaxProblem[] = [];
  visit(yaml, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        // Merge keys are symbols, each another one, and may stand more than once.
        if (!isScalar(key) || typeof key.value === 'symbol') continue;
        if (seen.has(key.value))
          repeated.push(
            problemAt(key, `the key "${key.value}" stands twice in one object: only the last one counts`),
          );
        seen.add(key.value);
      }
    },
  });
  return repeated;
}

/** The library resolves an alias by a walk over all anchors: the total cost is the square of their number. */
const MAX_ALIASES = 10_000;

/** Values that merge keys (`<<: *base`) may copy, a merge inside a merge counted again. */
const MAX_MERGED = 1_000_000;

/** The node with an alias's anchor; undefined if no node before it has that anchor. */
type Targets = ReadonlyMap<Alias, Node | undefined>;

/**
 * Unresolved aliases, and those that cost too much before there are values to measure. An alias shares its value, but a
 * merge key copies it, merges of merges too: a few lines can demand more than any memory holds.
 */
function aliasProblems(yaml: YamlDocument): SyntaxProblem[] {
  const targets = new Map<Alias, Node | undefined>();
  const merges: Pair[] = [];
  const anchors = new Map<string, Node>();
  visit(yaml, {
    Pair: (_, pair) => void (isMerge(pair) && merges.push(pair)),
    Node: (_, node) => {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node as Node);
      return targets.size > MAX_ALIASES ? visit.BREAK : undefined;
    },
  });
  if (targets.size > MAX_ALIASES)
    return [problemAt([...targets.keys()].at(-1), `there are more than ${MAX_ALIASES} aliases`)];
  const unresolved = [...targets].filter(([, target]) => target === undefined);
  if (unresolved.length > 0)
    return unresolved.map(([alias]) =>
      problemAt(alias, `there is no anchor &${alias.source} before this alias`),
    );
  return mergeProblems(merges, targets);
}

function mergeProblems(merges: readonly Pair[], targets: Targets): SyntaxProblem[] {
  const invalid = merges.filter(({ value }) => !isMergeable(value, targets));
  if (invalid.length > 0)
    return invalid.map(({ key }) => problemAt(key, 'what is merged must be a map, or a list of maps'));
  const costOf = compileCost(targets);
  let total = 0;
  const over = merges.find(({ value }) => {
    total += costOf(value as Node);
    return total > MAX_MERGED;
  });
  return over ? [problemAt(over.key, `the merge keys expand to more than ${MAX_MERGED} values`)] : [];
}

function isMergeable(value: unknown, targets: Targets): boolean {
  const source = isAlias(value) ? targets.get(value) : value;
  if (isMap(source)) return true;
  return isSeq(source) && source.items.every((item) => isMap(isAlias(item) ? targets.get(item) : item));
}

/** How many values a merge of this node copies; infinitely many if it contains itself. */
function compileCost(targets: Targets): (node: Node | null) => number {
  const costs = new Map<Node, number>();

  function costOf(node: Node | null | undefined): number {
    if (isAlias(node)) return costOf(targets.get(node));
    if (isSeq(node)) return node.items.reduce((sum: number, item) => sum + costOf(item as Node), 1);
    return costInside(node);
  }

  /** Inside a merged map an alias shares its value again. */
  function costInside(node: Node | null | undefined): number {
    if (!isCollection(node)) return 1;
    const cachedCost = costs.get(node);
    if (cachedCost !== undefined) return cachedCost;
    costs.set(node, Number.POSITIVE_INFINITY);
    const cost = (node.items as (Node | Pair)[]).reduce((sum, item) => {
      if (!isPair(item)) return sum + costInside(item);
      return sum + (isMerge(item) ? costOf : costInside)(item.value as Node);
    }, 1);
    costs.set(node, cost);
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
