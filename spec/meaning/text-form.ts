import { foldedName, setOf, wordsOf } from './names.ts';

/** The kind of text that a member's name implies; `formal`: a syntax that services check even where the document omits it. */
export type TextForm = 'email' | 'url' | 'phone' | 'host' | 'ip' | 'formal';

/** The last words of names of each kind. */
const FORMS: Readonly<Record<TextForm, string>> = {
  email: 'email mail emailaddress',
  phone: 'phone mobile phonenumber tel fax',
  url: 'url urls uri uris href link website homepage webhook callback endpoint imageurl',
  host: 'host hostname domain domainname fqdn',
  ip: 'ip ipv4 ipaddr ipaddress',
  formal:
    'date time datetime zone timezone country currency locale lang language color colour iban password slug',
};

/** The kind of a member's text by its name; undefined: the name implies none. */
export function textFormOf(name: string): TextForm | undefined {
  const words = wordsOf(name);
  const ends = [words.at(-1), words.slice(-2).join(''), foldedName(name)];
  const forms = Object.entries(FORMS) as [TextForm, string][];
  return forms.find(([, names]) => names.split(' ').some((one) => ends.includes(one)))?.[0];
}

const OWN_WORDS = setOf('name title label headline subject description summary comment note');

/** Whether a text is free prose, by the name of its member. */
export const isInOwnWords = (name: string): boolean => OWN_WORDS.has(wordsOf(name).at(-1) ?? '');
