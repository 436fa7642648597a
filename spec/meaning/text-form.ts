import { foldedName, setOf, wordsOf } from './names.ts';

/** What the text of a member is by its name; `formal`: it has a form that services check, whether the document says it or not. */
export type TextForm = 'email' | 'url' | 'phone' | 'host' | 'ip' | 'formal';

/** By the last words of names. */
const FORMS: Readonly<Record<TextForm, string>> = {
  email: 'email mail emailaddress',
  phone: 'phone mobile phonenumber tel fax',
  url: 'url urls uri uris href link website homepage webhook callback endpoint imageurl',
  host: 'host hostname domain domainname fqdn',
  ip: 'ip ipv4 ipaddr ipaddress',
  formal:
    'date time datetime zone timezone country currency locale lang language color colour iban password slug',
};

/** Undefined: nothing by its name. */
export function textFormOf(name: string): TextForm | undefined {
  const words = wordsOf(name);
  const ends = [words.at(-1), words.slice(-2).join(''), foldedName(name)];
  const forms = Object.entries(FORMS) as [TextForm, string][];
  return forms.find(([, names]) => names.split(' ').some((one) => ends.includes(one)))?.[0];
}

const OWN_WORDS = setOf('name title label headline subject description summary comment note');

/** Whether a text is called so that people write any words there. */
export const isInOwnWords = (name: string): boolean => OWN_WORDS.has(wordsOf(name).at(-1) ?? '');
