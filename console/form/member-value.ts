import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import type { FieldView } from '../wire.ts';

export type Members = Readonly<Record<string, unknown>>;

export const pointerTo = (pointer: string, name: string | number) =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A field with only these properties. */
export const fieldOf = (name: string, overrides: Partial<FieldView> = {}): FieldView => ({
  name,
  type: undefined,
  format: undefined,
  description: undefined,
  values: undefined,
  nullable: false,
  required: false,
  readOnly: false,
  ...overrides,
});

/** Members with one changed, or removed. */
export function withMember(members: Members, name: string, value: unknown): Members {
  if (value !== undefined) return { ...members, [name]: value };
  const { [name]: _, ...others } = members;
  return others;
}

export function textOf({ type }: Pick<FieldView, 'type'>, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return stringifyJson(value, 2);
  return type === 'string' || readText({ type }, value) === value ? value : stringifyJson(value);
}

/** The value of a text. Invalid JSON stays a text, so that the mock reports the problem. */
export function readText({ type }: Pick<FieldView, 'type'>, text: string): unknown {
  if (type === 'string') return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The hint of a field: its type and description, with only the text of links. */
export function hintText({ type, title, format, nullable, description = '' }: FieldView): string {
  // For a field with a title, the description states the type.
  const isTyped = type !== undefined && title === undefined;
  const typed = isTyped && (format ? `${type} (${format})` : type) + (nullable ? ' or null' : '');
  return [typed, description.replace(/\[([^\]]+)\]\([^)\s]*\)/g, '$1')].filter(Boolean).join(' – ');
}

/** A date in a picker's form, in UTC. Undefined: no picker can show it. */
export function pickerText(format: string, text: string): string | undefined {
  if (text === '') return '';
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
  const time = /^\d{4}-\d\d-\d\d[Tt ]\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 19);
}

export function momentOf(format: string, picked: string): string | undefined {
  if (picked === '') return undefined;
  if (format === 'date') return picked;
  return picked.length === 16 ? `${picked}:00Z` : `${picked}Z`;
}
