import { relative, resolve } from 'node:path';
import { inBrief, nearest } from '#spec';
import type { Complain, Pairs, Setting, SettingValue, Text } from './setting.ts';

/**
 * Reads the value of a setting as the command line would.
 * @param folder the file's folder, to which its paths are relative
 * @returns undefined after a problem
 */
export function readValue(
  setting: Setting,
  value: unknown,
  folder: string,
  complain: Complain,
): SettingValue | undefined {
  const { form, isList } = setting;
  if (form.type === 'switch') {
    if (typeof value === 'boolean') return value;
    return refuse(setting, value, 'It must be true or false.', complain);
  }
  if (form.type === 'pairs') return readPairs(setting, form, value, folder, complain);
  if (form.type === 'text' && form.orSwitch && typeof value === 'boolean') return value;
  if (!isList) return readOne(setting, value, folder, complain);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const read = items.map((item, index) =>
    readOne(setting, item, folder, (path, message) =>
      complain(Array.isArray(value) ? [String(index), ...path] : path, message),
    ),
  );
  return read.every((texts) => texts !== undefined) ? read.flat() : undefined;
}

function readOne(
  setting: Setting,
  value: unknown,
  folder: string,
  complain: Complain,
): readonly string[] | undefined {
  const { form, parse } = setting;
  if (form.type !== 'whole' && form.type !== 'text') return undefined;
  const reason = form.type === 'text' ? textProblem(form, value) : undefined;
  const invalid = reasonOf(parse, toText(value)) ?? reason;
  if (invalid !== undefined) return refuse(setting, value, invalid, complain);
  if (form.type === 'whole' && !isNumeric(value))
    return refuse(setting, value, 'It must be a number, without quotes.', complain);
  const text = toText(value);
  if (form.type === 'whole' || form.path === undefined) return [text];
  if (new RegExp(NO_PASSWORDS).test(text))
    return [form.path === 'store' ? storeInFolder(text, folder) : inFolder(text, folder)];
  complain([], `a URL with a password does not belong in a file: set ${setting.variable} in its place`);
  return undefined;
}

function textProblem({ choices, orNumber, pattern }: Text, value: unknown): string | undefined {
  if (isNumeric(value)) return orNumber ? undefined : 'It must be a text: write it in quotes.';
  if (typeof value !== 'string') return 'It must be a text.';
  if (choices && !choices.includes(value)) return `It must be one of ${choices.join(', ')}.`;
  if (value === '') return 'It must not be empty.';
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return `It must match ${pattern}.`;
  return undefined;
}

function reasonOf(parse: Setting['parse'], text: string): string | undefined {
  try {
    parse?.(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** In the words of the command line. */
function refuse({ flags }: Setting, value: unknown, reason: string, complain: Complain): undefined {
  complain([], `option '${flags}' value '${printValue(value)}' is invalid. ${reason}`);
}

function printValue(value: unknown): string {
  const text = toText(value);
  if (!new RegExp(NO_PASSWORDS).test(text)) return 'a URL with a password';
  return inBrief(text, 60);
}

/** A finite number, of any size. */
function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}

/** A value in the form of the command line: numbers without an exponent; lists and mappings only by kind. */
function toText(value: unknown): string {
  if (value === 0) return '0';
  if (isNumeric(value))
    return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : String(value);
}

/** Standard output or input. */
const STANDARD = '-';

/**
 * A path in the file relative to the working directory, or absolute if it is outside; URLs, revisions (`git:REF:PATH`) and
 * `-` stay as they are.
 */
function inFolder(text: string, folder: string): string {
  if (text === STANDARD || /^(?:https?|git):/i.test(text)) return text;
  const path = resolve(folder, text);
  const below = relative('', path);
  return below.startsWith('..') ? path : below || '.';
}

/** The address of a store: `memory`, `file:PATH` or a URL. */
function storeInFolder(text: string, folder: string): string {
  const path = /^file:(.+)$/s.exec(text)?.[1];
  return path === undefined ? text : `file:${inFolder(path, folder)}`;
}

/** Matches anything but a URL with a password (RFC 3986 §3.2.1); also for the JSON Schema. */
export const NO_PASSWORDS = '^(?![A-Za-z][A-Za-z0-9+.\\-]*://[^/?#@]*:[^/?#@]+@)';

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

/** Reads `{ name: value }`, `[name=value]` or a single `name=value`; headers are `Name: value`. */
function readPairs(
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

/** A name and value with its path. Undefined: a part that is no pair. */
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

/** The pattern of a pair's text, also for the JSON Schema. */
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

/** Values are not shown, as they may be secrets. */
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
