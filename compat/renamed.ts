import { DocumentError } from '#spec';

/** A value, or the error of a document, with all of its texts renamed. */
export function renamed<T>(value: T, rename: (text: string) => string): T {
  if (value instanceof DocumentError)
    return new DocumentError(value.problems.map((problem) => texts(problem, rename) as typeof problem)) as T;
  return value instanceof Error ? value : (texts(value, rename) as T);
}

function texts(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === 'string') return rename(value);
  if (Array.isArray(value)) return value.map((item) => texts(item, rename));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, texts(member, rename)]));
}
