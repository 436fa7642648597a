import type { Shape } from '#spec';

/** What a text is by the name of its member or its format, whether the document says more of it or not. */
const KINDS: readonly (readonly [RegExp, (mark: string) => string])[] = [
  // RFC 2606: nobody has these domains.
  [/e-?mail/i, (mark) => `${mark}@example.com`],
  [
    /ur[il]s?$|^(?:href|link|website|homepage|webhook|callback|endpoint)$/i,
    (mark) => `https://example.com/${mark}`,
  ],
  // Set aside for fiction.
  [/phone|^tel$|^fax$|mobile/i, (mark) => `+1202555${String(100 + (numberOf(mark) % 100)).padStart(4, '0')}`],
  [/host(?:_?name)?$|^domain(?:_?name)?$|^fqdn$/i, (mark) => `${mark}.example.com`],
  // RFC 5737.
  [/^ip(?:v4)?(?:_?addr(?:ess)?)?$/i, (mark) => `192.0.2.${1 + (numberOf(mark) % 250)}`],
];

const FORMATS: Readonly<Record<string, number>> = {
  email: 0,
  'idn-email': 0,
  uri: 1,
  url: 1,
  iri: 1,
  hostname: 3,
  ipv4: 4,
};

/** A value for a member that names a mailbox, a telephone, a host or an address: one that belongs to nobody. Undefined: it names none. */
export function reservedValue(
  name: string,
  shape: Shape | undefined,
  key: string,
  shown?: string,
): string | undefined {
  const format = FORMATS[String(shape?.find('format')?.value)];
  const kind = format === undefined ? KINDS.find(([pattern]) => pattern.test(name)) : KINDS[format];
  if (!kind || (shape && (shape.values || shape.mainType !== 'string'))) return undefined;
  const value = kind[1](wordOf(key));
  const isShort = value.length <= (shape?.lowest('maxLength') ?? value.length);
  const fits = isShort && (shape?.patterns ?? []).every((pattern) => pattern.test(value));
  // An address within a network of its own, or a path, is none of somebody's.
  return fits && !(shown?.startsWith('/') ?? false) ? value : undefined;
}

/** A text with the form of another one that bears a mark: `example.org.` -> `paddock-x-1n.example.com.` */
export function inForm(form: unknown, mark: string): unknown {
  if (typeof form !== 'string') return form;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(form)) return `https://example.com/${mark}`;
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form)) return `${mark}@example.com`;
  if (/^[\w-]+(?:\.[\w-]+)+\.?$/.test(form)) return `${mark}.example.com${form.endsWith('.') ? '.' : ''}`;
  if (/^[\w-]+\.$/.test(form)) return `${mark}.`;
  if (/^[a-z\d]+(?:_[a-z\d]+)*$/i.test(form))
    return shaped(form, mark.replaceAll('-', form.includes('_') ? '_' : ''));
  return mark;
}

function shaped(form: string, text: string): string {
  if (/^[A-Z\d_]+$/.test(form) && /[A-Z]/.test(form)) return text.toUpperCase();
  return text;
}

const wordOf = (key: string) => key.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'paddock';

/** Of texts that differ in one number these mostly differ, too. */
function numberOf(text: string): number {
  return [...text].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 100_003, 7);
}
