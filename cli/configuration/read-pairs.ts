import type { Complain } from './given.ts';
import { nearest } from './nearest.ts';
import { inFolder } from './relative-path.ts';
import type { Pairs, Setting } from './setting.ts';
import { isNumeric, toText } from './to-text.ts';

/** Names of headers that carry a credential. */
export const SECRET_HEADERS = [
  'api-key',
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'x-auth-token',
];

/** RFC 9110 §5.6.2. */
export const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z\\-]+";

/** Reads `{ name: value }`, `[name=value]` or one `name=value` alone; headers are `Name: value`. */
export function readPairs(
  setting: Setting,
  form: Pairs,
  value: unknown,
  folder: string,
  complain: Complain,
): readonly string[] | undefined {
  const read = pairsOf(form, value).map(({ path, pair }) => {
    const problem = pair === undefined ? formProblem(setting, form) : pairProblem(setting, form, ...pair);
    if (problem !== undefined || pair === undefined) return void complain(path, problem ?? '');
    const [name, text] = [pair[0], toText(pair[1])];
    return `${name}${form.between}${form.path ? inFolder(text, folder) : text}`;
  });
  return read.every((text) => text !== undefined) ? read : undefined;
}

/** Undefined: a part that is no pair. */
interface Part {
  readonly path: readonly string[];
  readonly pair: readonly [name: string, value: unknown] | undefined;
}

function pairsOf(form: Pairs, value: unknown): readonly Part[] {
  if (Array.isArray(value))
    return value.map((item, index) => ({ path: [String(index)], pair: splitPair(form, item) }));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map((pair) => ({ path: [pair[0]], pair }));
  return [{ path: [], pair: splitPair(form, value) }];
}

/** The texts that are pairs, for a JSON Schema, too. */
export function pairPattern({ between }: Pairs): string {
  return between === '=' ? '^[^=]+=' : `^${TOKEN}:[ \\t]*[^\\r\\n]*$`;
}

function splitPair(form: Pairs, value: unknown): Part['pair'] {
  if (typeof value !== 'string' || !new RegExp(pairPattern(form)).test(value)) return undefined;
  const at = value.indexOf(form.between[0] as string);
  const text = value.slice(at + 1);
  return [value.slice(0, at), form.between === '=' ? text : text.replace(/^[ \t]+/, '')];
}

function formProblem({ key, flags }: Setting, { between, names }: Pairs): string {
  const [name, value] =
    between === '=' ? [names?.[0] ?? 'name', names ? 'FILE' : 'value'] : ['Name', 'value'];
  return `${flags} takes ${key}: { ${name}: ${value} }, or a list of '${name}${between}${value}'; what was given is not shown`;
}

/** Values are not shown: they may be secrets. */
function pairProblem(
  { flags, variable }: Setting,
  { between, names, path }: Pairs,
  name: string,
  value: unknown,
): string | undefined {
  if (names && !names.includes(name)) {
    const meant = nearest(name, names);
    return `"${name}" is none of ${flags}: ${meant === undefined ? names.join(', ') : `did you mean "${meant}"?`}`;
  }
  if (between === '=' && (name === '' || name.includes('=')))
    return `"${name}" is no name: it must have a sign, and no equals sign`;
  if (between === ': ') {
    if (!new RegExp(`^${TOKEN}$`).test(name)) return `"${name}" is no name of a header`;
    if (SECRET_HEADERS.includes(name.toLowerCase()))
      return `the header ${name} carries a secret, which does not belong in a file: set PADDOCK_API_KEY or ${variable}`;
  }
  if (path ? isText(value) && value !== '' : isText(value) || isNumeric(value) || typeof value === 'boolean')
    return between === ': ' && /[\r\n]/.test(toText(value)) ? 'a header is one line' : undefined;
  return path ? `${name} must name a file` : `the value of ${name} must be a text, a number, true or false`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
