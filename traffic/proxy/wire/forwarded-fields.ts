import { type Field, listOf } from './fields.ts';

/**
 * What the two connections of a pair have in common: they live and end together, and bodies pass with their framing.
 * So these options, and the fields that they name, are as true on the one as on the other.
 */
const SHARED_OPTIONS = new Set(['close', 'keep-alive', 'te', 'upgrade']);

/** Fields that mean something only if Connection names them (RFC 9110 §7.6.1). */
const NAMED_ONLY = new Set(['te', 'upgrade', 'keep-alive']);

/** What no option can take away: without it, another reader would find another message in the same bytes. */
const FRAMING = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * The field lines that are sent on, as they came and in their order. Left out are the fields that are about the
 * connection they came on only (RFC 9110 §7.6.1); Connection keeps the options that are true on the other one, too.
 * @param change gives another line for a field, or none (undefined)
 */
export function forwardedLines(
  fields: readonly Field[],
  change: (field: Field) => string | undefined,
): readonly string[] {
  const options = listOf(fields, 'connection');
  const dropped = new Set(options.filter((option) => !SHARED_OPTIONS.has(option) && !FRAMING.has(option)));
  const isKept = ({ key }: Field) =>
    key !== 'proxy-connection' && !dropped.has(key) && (!NAMED_ONLY.has(key) || options.includes(key));
  return fields.filter(isKept).flatMap((field) => {
    const line = field.key === 'connection' ? sharedOptions(field) : change(field);
    return line === undefined ? [] : [line];
  });
}

function sharedOptions({ name, value, line }: Field): string | undefined {
  const options = value.split(',').map((option) => option.trim());
  const kept = options.filter((option) => SHARED_OPTIONS.has(option.toLowerCase()));
  if (kept.length === options.length) return line;
  return kept.length > 0 ? `${name}: ${kept.join(', ')}` : undefined;
}
