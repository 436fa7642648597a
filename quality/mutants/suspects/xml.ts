import { isRecord } from '#spec';
import {
  guarding,
  loseCreated,
  type MockFault,
  mockOf,
  otherQuery,
  reading,
  replying,
  storedMember,
} from '../mock-faults.ts';
import { type Data, without } from '../record-changes.ts';
import { lookalikes, mutants, using } from '../suspect.ts';

// Faults in how XML is written and read, and in what only XML shows of records.

const XML = 'application/xml';
const plates = mockOf('plates.yaml', { count: 5 });

/** The text of what succeeds is written in another way. */
const written = (change: (text: string) => string): MockFault =>
  replying(XML, (given) => (given.status < 300 ? { ...given, body: change(String(given.body)) } : given));
const all = (pattern: RegExp, to: string | ((...found: string[]) => string)) => (text: string) =>
  text.replaceAll(pattern, to as string);

/** What XML says is read in another way. */
const read = (change: (body: Data) => Data): MockFault =>
  reading((read) => (raw) => {
    const values = read(raw);
    const isXml = String(raw.headers['content-type']).startsWith(XML);
    return isXml && isRecord(values.body) ? { ...values, body: change(values.body) } : values;
  });

const typed = (type: string) => replying(XML, (given) => ({ ...given, type }));

/** A service that names XML for the bodies of prints, and has never read any. */
const refuseXmlPrints = reading((read, { path }) => (raw) => {
  const isXml = String(raw.headers['content-type']).startsWith(XML);
  if (!path.startsWith('/prints') || !isXml) return read(raw);
  return read({ ...raw, body: Buffer.from('<') });
});

const rounded = all(/<serial>(\d+)<\/serial>/g, (_, digits) => `<serial>${BigInt(Number(digits))}</serial>`);
const FORMS = [
  ['attribute-as-element', 'metal is an element', all(/ metal="(\w+)">/g, '><metal>$1</metal>')],
  ['element-as-attribute', 'title is an attribute', all(/>\s*<title>([^<]*)<\/title>/g, ' title="$1">')],
  ['no-wrapper', 'states have no element around them', all(/<\/?states\/?>/g, '')],
  ['no-empty-array', 'an empty list of states is left out', all(/<states\/>/g, '')],
  ['root', 'the root element is Plate', 'whole-xml', all(/(<\/?p:)plate\b/g, '$1Plate')],
  ['namespace', 'the namespace is another', 'whole-xml', all(/plates\.example\/ns/g, 'plates.example/other')],
  ['ill-formed', 'an ampersand is not escaped', 'whole-xml', all(/<title>/g, '<title>& ')],
  ['cut', 'the root element is not closed', 'whole-xml', all(/<\/p:plates?>\s*$/g, '')],
  ['serial-as-word', 'a serial number is in words', all(/<serial>\d+/g, '<serial>many')],
  ['doubled', 'escaped text is escaped again', 'created-equals-sent', all(/&(?=\w+;)/g, '&amp;')],
  ['rounded', 'a serial number beyond 2^53 is rounded', 'exact-integers', rounded],
  [
    'extra-wrapper',
    'remarks are in an element of their own',
    'created-equals-sent',
    all(/(<remark>.*?<\/remark>)(?=<size|<\/p:plate)/g, '<remarks>$1</remarks>'),
  ],
] as const;

export const xmlMutants = [
  ...mutants('xml', using(plates, written), 'schema', FORMS),
  ...mutants('xml', using(plates, typed), 'content-type', [
    ['as-text', 'XML is called a text', 'text/plain'],
    ['as-json', 'XML is called JSON', 'application/json'],
  ]),
  ...mutants('xml', plates, 'created-equals-sent', [
    ['lost', 'what is created cannot be read', 'created-can-be-read', loseCreated],
    ['serial-stored', 'a serial number is stored as another', storedMember('serial', () => 7)],
    ['unfiltered', 'the metal is ignored', 'filter', otherQuery(({ metal: _, ...query }) => query)],
    ['no-papers', 'papers of XML are left out', read(without('papers'))],
    ['not-read', 'prints in XML are refused', 'status', refuseXmlPrints],
    ['prints-as-they-are', 'a print in XML has no name', 'schema', written(all(/<name>.*?<\/name>/g, ''))],
  ]),
];

/** A service may disregard what a client prefers (RFC 9110 §12.5.1). */
const oneType = guarding((guard) => (request) => {
  Reflect.deleteProperty(request.headers, 'accept');
  return guard(request);
});

export const xmlLookalikes = [
  ...lookalikes('xml', using(plates, written), [
    [
      'other-prefix',
      'the namespace has another prefix',
      all(/\bp:|:p\b/g, (name) => name.replace('p', 'engraver')),
    ],
    ['indented', 'there are spaces and comments between elements', all(/>(?=<)/g, '>\n  <!-- -->')],
    [
      'cdata',
      'titles are in CDATA sections',
      all(/<title>([^<&]*)<\/title>/g, '<title><![CDATA[$1]]></title>'),
    ],
    ['references', 'ampersands are numbers', all(/&amp;/g, '&#x26;')],
    [
      'further',
      'a plate has an element that the document does not name',
      all(/<\/serial>/g, '</serial><owner>Ada</owner>'),
    ],
  ]),
  ...lookalikes('xml', plates, [['json-only', 'whatever a client prefers, prints are JSON', oneType]]),
];
