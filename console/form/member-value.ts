import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import type { FieldView } from '../wire.ts';

export type Members = Readonly<Record<string, unknown>>;

export const pointerTo = (pointer: string, name: string | number) =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Members with one that is another, or absent. */
export function withMember(members: Members, name: string, value: unknown): Members {
  if (value !== undefined) return { ...members, [name]: value };
  const { [name]: _, ...others } = members;
  return others;
}

/** The text of a value in its field. */
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
