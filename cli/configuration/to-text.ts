/** A finite number, of any size. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}

/** A value as the command line would have it: numbers without an exponent; a list or a mapping is named only. */
export function toText(value: unknown): string {
  if (value === 0) return '0';
  if (isNumeric(value))
    return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : String(value);
}
