import { isCollection, isScalar, type Node, visit, type Document as YamlDocument } from 'yaml';
import type { SyntaxProblem } from './problem.ts';

/**
 * Keys that a map has twice (YAML 1.2.2 §3.2.1.3), or that are not scalars. The library's own check compares each key
 * with all before it, which takes minutes for a map of a hundred thousand, and writes out a map that serves as a key.
 */
export function keyProblems(yaml: YamlDocument): SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  const add = (key: Node, message: string) => problems.push({ offset: key.range?.[0] ?? 0, message });
  visit(yaml, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (isCollection(key)) add(key, 'a key must be a text, and no list or map');
        // Merge keys are symbols, each another one, and may stand more than once.
        if (!isScalar(key) || typeof key.value === 'symbol') continue;
        if (seen.has(key.value)) add(key, 'Map keys must be unique');
        seen.add(key.value);
      }
    },
  });
  return problems;
}
