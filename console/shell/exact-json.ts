/** Integers beyond 2^53 are bigints in both directions, so that ids stay exact. */
export function parseJson(text: string): unknown {
  return (JSON.parse as ParseWithSource)(text, (_, value, { source }) => {
    const isInexact =
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
    return isInexact ? BigInt(source as string) : value;
  });
}

export function stringifyJson(value: unknown, indent?: number): string {
  const { rawJSON } = JSON as JsonWithRaw;
  return JSON.stringify(
    value,
    (_, member) => (typeof member === 'bigint' ? rawJSON(String(member)) : member),
    indent,
  );
}

/** ECMAScript 2026, JSON.parse source text access. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;
type JsonWithRaw = typeof JSON & { readonly rawJSON: (text: string) => unknown };
