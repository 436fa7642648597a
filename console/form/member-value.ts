import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import type { FieldView } from '../wire.ts';

export type Members = Readonly<Record<string, unknown>>;

export const pointerTo = (pointer: string, name: string | number) =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A field of which nothing is said but this. */
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

/** Members with one that is another, or absent. */
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

/** The value that a text stands for. What is no JSON is a text, so that the mock says what is wrong with it. */
export function readText({ type }: Pick<FieldView, 'type'>, text: string): unknown {
  if (type === 'string') return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** What a field takes: its type, and its description with the texts of links alone. */
export function hintText({ type, title, format, nullable, description = '' }: FieldView): string {
  // Of a field with a title its description says it.
  const isTyped = type !== undefined && title === undefined;
  const typed = isTyped && (format ? `${type} (${format})` : type) + (nullable ? ' or null' : '');
  return [typed, description.replace(/\[([^\]]+)\]\([^)\s]*\)/g, '$1')].filter(Boolean).join(' – ');
}

/** As a picker has it, in UTC; undefined: no picker can show it. */
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
