/** Formats of JSON Schema that can be recognised from a text alone. */
const FORMATS = {
  'date-time':
    /^\d{4}-(?:0\d|1[0-2])-[0-3]\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-][0-2]\d:[0-5]\d)$/,
  date: /^\d{4}-(?:0\d|1[0-2])-[0-3]\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[\w.+-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i,
  uri: /^[a-z][a-z0-9+.-]*:\/\/[\w.~:@-]+(?:[/?#](?:[\w.~:@/?#!$&'()*+,;=-]|%[0-9a-f]{2})*)?$/i,
} as const satisfies Readonly<Record<string, RegExp>>;

export type TextFormat = keyof typeof FORMATS;

/** The most certain first. */
export const TEXT_FORMATS = Object.keys(FORMATS) as readonly TextFormat[];

export function isOfFormat(format: TextFormat, text: string): boolean {
  if (!FORMATS[format].test(text)) return false;
  if (format !== 'date' && format !== 'date-time') return true;
  // The 31st of June matches the expression.
  const [day] = text.split('T') as [string];
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
