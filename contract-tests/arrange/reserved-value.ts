import { type Shape, type TextForm, textFormOf } from '#spec';

/** What belongs to nobody, by the form of a text. */
const RESERVED: Readonly<Partial<Record<TextForm, (mark: string) => string>>> = {
  // RFC 2606: nobody has these domains.
  email: (mark) => `${mark}@example.com`,
  url: (mark) => `https://example.com/${mark}`,
  // Set aside for fiction.
  phone: (mark) => `+1202555${String(100 + (numberOf(mark) % 100)).padStart(4, '0')}`,
  host: (mark) => `${mark}.example.com`,
  // RFC 5737.
  ip: (mark) => `192.0.2.${1 + (numberOf(mark) % 250)}`,
};

const FORMATS: Readonly<Record<string, TextForm>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  url: 'url',
  iri: 'url',
  hostname: 'host',
  ipv4: 'ip',
};

/** A value for a member that names a mailbox, a telephone, a host or an address: one that belongs to nobody. Undefined: it names none. */
export function reservedValue(
  name: string,
  shape: Shape | undefined,
  key: string,
  shown?: string,
): string | undefined {
  const form = FORMATS[String(shape?.find('format')?.value)] ?? textFormOf(name);
  const reserved = form && RESERVED[form];
  if (!reserved || (shape && (shape.values || shape.mainType !== 'string'))) return undefined;
  const value = reserved(wordOf(key));
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
