import { foldedName, wordsOf } from './names.ts';

/** What the text of a member is by its name; `formal`: it has a form that services check, whether the document says it or not. */
export type TextForm = 'email' | 'url' | 'phone' | 'host' | 'ip' | 'formal';

const FORMS: readonly (readonly [form: TextForm, stands: 'anywhere' | 'last', names: string])[] = [
  ['email', 'anywhere', 'email'],
  ['phone', 'anywhere', 'phone mobile'],
  ['url', 'last', 'url urls uri uris href link website homepage webhook callback endpoint'],
  ['phone', 'last', 'tel fax'],
  ['host', 'last', 'host hostname domain domainname fqdn'],
  ['ip', 'last', 'ip ipv4 ipaddr ipaddress'],
  ['email', 'last', 'mail'],
  ['formal', 'last', 'date time datetime zone timezone country currency locale lang language'],
  ['formal', 'last', 'color colour iban password slug'],
];
/** `imageurl` has no border between its words. */
const ENDINGS: readonly string[] = ['url', 'uri', 'hostname', 'password'];

/** Undefined: nothing by its name. */
export function textFormOf(name: string): TextForm | undefined {
  const folded = foldedName(name);
  const words = wordsOf(name);
  const isLast = (one: string) =>
    words.at(-1) === one ||
    words.slice(-2).join('') === one ||
    (ENDINGS.includes(one) && folded.endsWith(one));
  return FORMS.find(([, stands, names]) =>
    names.split(' ').some((one) => (stands === 'last' ? isLast(one) : folded.includes(one))),
  )?.[0];
}
