import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../quality/testing/command.ts';

interface Input {
  readonly type?: 'string' | 'number' | 'boolean';
  readonly default?: string | number | boolean;
  readonly regex?: string;
  readonly options?: readonly string[];
}

export interface GitlabJob {
  readonly variables: Readonly<Record<string, string | { readonly value: string; readonly expand: false }>>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly artifacts: {
    readonly when: string;
    readonly paths: readonly string[];
    readonly reports: Readonly<Record<string, string>>;
  };
}

const [head = '', body = ''] = readFileSync(join(ROOT, 'templates/paddock.yml'), 'utf8').split(/^---$/m);

/** The first YAML document of the component: its inputs. */
export const HEAD: { readonly spec: { readonly inputs: Readonly<Record<string, Input>> } } = parse(head);

/**
 * The jobs of the component, with inputs substituted in the text as GitLab does.
 * @throws Error for an unknown input
 */
export function jobsWith(values: Readonly<Record<string, unknown>> = {}): Record<string, GitlabJob> {
  const { inputs } = HEAD.spec;
  for (const name of Object.keys(values)) if (!(name in inputs)) throw new Error(`no input is named ${name}`);
  const text = body.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
    const input = inputs[name];
    if (input === undefined) throw new Error(`no input is named ${name}`);
    return textFor(name, input, values[name] ?? input.default);
  });
  return parse(text);
}

function textFor(name: string, { type = 'string', regex, options }: Input, value: unknown): string {
  const isTaken =
    typeof value === type &&
    (regex === undefined || new RegExp(regex).test(String(value))) &&
    (options?.includes(String(value)) ?? true);
  if (!isTaken) throw new Error(`the input ${name} does not take ${JSON.stringify(value)}`);
  return String(value);
}
