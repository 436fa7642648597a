/**
 * Methods that faker has renamed or dropped up to version 10 (its upgrade guides for 8, 9 and 10), old ones first; `*` stands for
 * the methods of the same name.
 */
const TABLE = `
address.* location.*
address.cityName location.city
address.stateAbbr location.state
address.streetName location.street
address.zipCodeByState location.zipCode
commerce.color color.human
company.bs company.buzzPhrase
company.bsAdjective company.buzzAdjective
company.bsBuzz company.buzzVerb
company.bsNoun company.buzzNoun
company.companyName company.name
datatype.bigInt number.bigInt
datatype.datetime date.anytime
datatype.float number.float
datatype.hexadecimal string.hexadecimal
datatype.hexaDecimal string.hexadecimal
datatype.number number.int
datatype.string string.sample
datatype.uuid string.uuid
fake helpers.fake
finance.account finance.accountNumber
finance.mask finance.accountNumber
git.shortSha git.commitSha
helpers.randomize helpers.arrayElement
helpers.regexpStyleStringParse helpers.fromRegExp
helpers.replaceSymbolWithNumber helpers.replaceSymbols
image.abstract image.url
image.animals image.url
image.avatarLegacy image.avatar
image.business image.url
image.cats image.url
image.city image.url
image.fashion image.url
image.food image.url
image.image image.url
image.imageUrl image.url
image.nature image.url
image.nightlife image.url
image.people image.url
image.sports image.url
image.technics image.url
image.transport image.url
image.urlPlaceholder image.url
internet.avatar image.avatar
internet.color color.rgb
internet.userName internet.username
name.* person.*
name.findName person.fullName
name.title person.jobTitle
phone.phoneNumber phone.number
phone.phoneNumberFormat phone.number
random.alpha string.alpha
random.alphaNumeric string.alphanumeric
random.alphaString string.alphanumeric
random.arrayElement helpers.arrayElement
random.arrayElements helpers.arrayElements
random.boolean datatype.boolean
random.float number.float
random.hexaDecimal string.hexadecimal
random.image image.url
random.number number.int
random.numeric string.numeric
random.objectElement helpers.objectValue
random.semver system.semver
random.uuid string.uuid
random.word word.sample
random.words word.words
time.recent date.recent
`;

export const OLD_NAMES = TABLE.trim()
  .split('\n')
  .map((line) => line.split(' ') as [old: string, name: string]);

const RENAMED = new Map(OLD_NAMES);
/** What the arguments of these were, which are members of one object since version 8 or 9. */
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  'commerce.price': ['min', 'max', 'dec', 'symbol'],
  'date.between': ['from', 'to'],
  'date.future': ['years', 'refDate'],
  'date.past': ['years', 'refDate'],
  'date.recent': ['days', 'refDate'],
  'date.soon': ['days', 'refDate'],
  'finance.amount': ['min', 'max', 'dec', 'symbol'],
  'git.commitSha': ['length'],
  'image.url': ['width', 'height'],
  'internet.email': ['firstName', 'lastName', 'provider'],
  'internet.password': ['length', 'memorable', 'pattern', 'prefix'],
  'internet.username': ['firstName', 'lastName'],
  'location.latitude': ['max', 'min', 'precision'],
  'location.longitude': ['max', 'min', 'precision'],
  'string.hexadecimal': ['length'],
};

/** The name of a method today; the same name, if it is not known to be an old one. */
export function currentName(method: string): string {
  const [group = '', name = ''] = method.split('.');
  return RENAMED.get(method) ?? RENAMED.get(`${group}.*`)?.replace('*', name) ?? method;
}

/** Arguments as a method takes them today. */
export function currentArguments(method: string, args: readonly unknown[]): readonly unknown[] {
  if (method === 'helpers.fake') return args.map(currentTemplate);
  const names = POSITIONS[method];
  const [first] = args;
  if (!names || args.length === 0 || (typeof first === 'object' && first !== null)) return args;
  return [Object.fromEntries(args.slice(0, names.length).map((value, at) => [names[at], value]))];
}

/** `{{name.lastName}}, {{address.city}}` with the names of today. */
function currentTemplate(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return text.replace(/\{\{\s*([\w.]+)/g, (_, name: string) => `{{${currentName(name)}`);
}
