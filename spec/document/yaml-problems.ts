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

/** The syntax errors that the parser reports. */
export function syntaxProblems({ errors }: YamlDocument, uri: string, text: string): SyntaxProblem[] {
  const json = errors.length > 0 && /\.json$/i.test(uri) ? jsonProblem(text) : undefined;
  if (json) return [json];
  return errors.map(({ pos: [offset], message }) => ({
    offset,
    // The YAML parser is recursive, and reports a stack overflow this way.
    message: message.startsWith('Maximum call stack') ? TOO_DEEP : message,
  }));
}

/** The message and position of a JSON parser, since those of the YAML parser mention flow maps and block collections. */
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

/** Errors that the syntax tree shows: keys, and aliases with their expansion. */
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
 * Duplicate keys of a map, which YAML 1.2.2 §3.2.1.3 and OpenAPI 3.1 §4.3 forbid; JSON parsers and most YAML parsers
 * take the last one. The library's own check compares each key with all before it, which takes minutes for a map with a
 * hundred thousand keys.
 */
export function repeatedKeys(yaml: YamlDocument): SyntaxProblem[] {
  const repeated: SyntaxProblem[] = [];
  visit(yaml, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        // Merge keys are symbols, all distinct, and may be repeated.
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

/** The library resolves an alias by a walk over all anchors, so the total cost is quadratic. */
const MAX_ALIASES = 10_000;

/** The limit of values that merge keys (`<<: *base`) copy, counting merges inside merges again. */
const MAX_MERGED = 1_000_000;

/** The node with the anchor of an alias; undefined if no earlier node has it. */
type Targets = ReadonlyMap<Alias, Node | undefined>;

/**
 * Unresolved aliases, and those that are too expensive to expand. An alias shares its value, but a merge key copies it,
 * and so do merges of merges: a few lines can require more memory than a machine has.
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

/** The number of values that merging this node copies; infinite if it contains itself. */
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
