import { pathForm } from '../operation.ts';

/**
 * The template of a path, by comparing all of them: in each segment, fixed text precedes a parameter, and more fixed
 * text beside a parameter precedes less. For paths without percent-encoding.
 */
export function naiveTemplate(templates: readonly string[], path: string): string | undefined {
  const [concrete] = templates.filter((template) => template === path);
  const matching = templates.filter((template) => pattern(template).test(path));
  return concrete ?? matching.sort((left, right) => compare(keyOf(left), keyOf(right)))[0];
}

function pattern(template: string): RegExp {
  const source = pathForm(template)
    .split('{}')
    .map((text) => text.replace(/[\\^$.*+?()[\]|{}]/g, '\\$&'))
    .join('([^/]+)');
  return new RegExp(`^${source}$`);
}

function keyOf(template: string): readonly number[] {
  const segments = pathForm(template).split('/');
  return segments.map((segment) => (segment.includes('{}') ? 10_000 - segment.length : 0));
}

function compare(left: readonly number[], right: readonly number[]): number {
  const differences = left.map((one, index) => one - (right[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
