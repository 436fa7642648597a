import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { DEPENDENCY_RULES, type DependencyRule, FREE } from './dependency-rules.ts';
import { foreignMeaning } from './meaning-rules.ts';

/** Imports of modules and types, static and dynamic, in the formatter's notation. */
const IMPORTED = /(?:\bfrom |\bimport\(|^import )'(#[^']+|\.[^']+\.tsx?)'/gm;

/** Tests, their support code, and declarations. */
const NOT_CHECKED = /\.(?:test|cases|d)\.ts$|\/testing\/|\/node_modules\//;

const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

function ruleOf(file: string): DependencyRule | undefined {
  const [first] = DEPENDENCY_RULES.filter(([place]) => isWithin(file, place)).sort(
    ([a], [b]) => b.length - a.length,
  );
  return first;
}

/** Imports that no rule allows: `FILE imports TARGET: RULE`. */
export function forbiddenImports(file: string, source: string): string[] {
  const rule = ruleOf(file);
  if (!rule) return [];
  const [place, allowed, why] = rule;
  const imports = source.matchAll(IMPORTED).map(([, name = '']) => {
    return name.startsWith('#') ? name : posix.join(posix.dirname(file), name);
  });
  return [...new Set(imports)]
    .filter((target) => ![place, ...allowed, ...FREE].some((one) => isWithin(target, one)))
    .map((target) => `${file} imports ${target}. ${place}: ${why}`);
}

if (import.meta.main) {
  const rooms = [...new Set(DEPENDENCY_RULES.map(([place]) => place.split('/')[0]))];
  const sources = globSync(`{${rooms}}/**/*.{ts,tsx}`).filter((file) => !NOT_CHECKED.test(file));
  const forbidden = sources.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    return [...forbiddenImports(file, source), ...foreignMeaning(file, source)];
  });
  for (const line of forbidden) process.stderr.write(`${line}\n`);
  if (forbidden.length > 0) process.stderr.write('The rules: quality/dependency-rules.ts\n');
  process.exitCode = forbidden.length > 0 ? 1 : 0;
}
