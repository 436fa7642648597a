import { readFileSync } from 'node:fs';
import { SettingsError } from '#contract-tests';
import { isRecord, nearest, readSourceFile } from '#spec';
import type { Severity } from './changes/changes-of.ts';
import { type ChangeClass, isRule, RULES } from './changes/rules.ts';

const CLASSES: readonly ChangeClass[] = ['breaking', 'warning', 'safe', 'note'];

/**
 * Reads a YAML or JSON file `{ rules?: { RULE: CLASS }, classes?: { CLASS: CLASS } }`. A rule comes before its class.
 * @throws SettingsError with file, line and remedy
 */
export function readSeverity(path: string): Severity {
  const file = readSourceFile(path, readText(path));
  const refuse = (steps: readonly string[], message: string) =>
    new SettingsError(`--severity ${path}:${file.positionOf(steps).line}: ${message}`);
  if (!isRecord(file.value)) throw refuse([], 'the file must hold an object { rules, classes }');
  const { rules = {}, classes = {}, ...others } = file.value;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined)
    throw refuse([stranger], `"${stranger}" is no member: rules and classes are; a rule stands below rules`);
  const read = (key: string, map: unknown, check: (name: string) => string | undefined) => {
    if (!isRecord(map)) throw refuse([key], `"${key}" must be an object of names and classes`);
    for (const [name, one] of Object.entries(map)) {
      const problem = check(name);
      if (problem) throw refuse([key, name], problem);
      if (!CLASSES.includes(one as ChangeClass))
        throw refuse([key, name], `${JSON.stringify(one)} is no class: ${CLASSES.join(', ')} are`);
    }
    return map as Readonly<Record<string, ChangeClass>>;
  };
  return {
    rules: read('rules', rules, (name) => (isRule(name) ? undefined : unknownRule(name))),
    classes: read('classes', classes, (name) =>
      CLASSES.includes(name as ChangeClass) ? undefined : `"${name}" is no class: ${CLASSES.join(', ')} are`,
    ),
  };
}

function unknownRule(name: string): string {
  const similar = nearest(name, Object.keys(RULES));
  return `there is no rule "${name}"${similar ? `; did you mean "${similar}"?` : ''}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`--severity: ${(error as Error).message}`);
  }
}
