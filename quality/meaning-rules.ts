import { parseAst } from 'rolldown/parseAst';

/**
 * Where small word tables may be outside `spec`: the forms of names in seeded values, and names for learned documents.
 */
const TABLES = ['mock/records/seed/', 'traffic/learn/'];

/**
 * Files that still interpret names or texts of a document themselves, or need an expression with a word for another
 * reason. The numbers are the allowed expressions with words, and the allowed reads of a description or summary. No
 * line may be added.
 */
const STILL = new Map(
  `
compat/changes/changes-of.ts 1 0
compat/changes/encoding-changes.ts 0 2
compat/changes/forms.ts 1 0
compat/changes/security-changes.ts 0 1
console/records/record-file.ts 2 0
console/records/record-table.ts 5 0
contract-tests/roots/facts.ts 2 0
contract-tests/roots/record-rules.ts 1 0
contract-tests/roots/explanations.ts 2 0
contract-tests/roots/status-rules.ts 2 0
mock/http/authenticate.ts 0 3
mock/http/representations.ts 1 0
mock/pictures/picture.ts 1 0
mock/resolve-options.ts 2 0
mock/start.ts 0 1
traffic/observe/findings-so-far.ts 2 0
traffic/observe/plain-request.ts 1 0
traffic/observe/read-request.ts 2 0
traffic/observe/traffic-laws.ts 1 0
`
    .trim()
    .split('\n')
    .map((line): [string, readonly number[]] => {
      const [file = '', ...most] = line.split(' ');
      return [file, most.map(Number)];
    }),
);

/** What a file outside `spec` decides by English words itself: `FILE: ...`. */
export function foreignMeaning(file: string, source: string): string[] {
  if (file.startsWith('spec/') || !readsDocuments(file) || TABLES.some((place) => file.startsWith(place)))
    return [];
  const [expressions = 0, reads = 0] = STILL.get(file) ?? [];
  const english = englishIn(source, file);
  const why = 'spec alone decides what documents mean (quality/meaning-rules.ts)';
  return [
    ...(english.expressions.length > expressions
      ? [
          `${file}: an expression with words: ${english.expressions.map((expression) => `/${expression}/`).join(', ')}. ${why}`,
        ]
      : []),
    ...(english.prose.length > reads
      ? [`${file}: reads a description or summary: ${english.prose.join(', ')}. ${why}`]
      : []),
  ];
}

/** The rooms that could make decisions by the names and texts of a document. */
const ROOMS = ['spec', 'mock', 'contract-tests', 'traffic', 'compat', 'console'] as const;
const TESTS = /\.(?:test|cases|d)\.tsx?$|\/testing\//;
/** Parts of these rooms that do not deal with the meaning of documents. */
const OTHERS = new RegExp(
  `^(?:${[
    'spec/(?:document|json|pattern|schema|swagger|xml|testing)/',
    'spec/(?:index|openapi|request-reader|parameter|media-type|header|content|body|multipart|form|stream|mask|server|security)',
    'mock/(?:server|platform|store|sessions|control|engine|upstream|documents|factories|matchers|code|browser|trace)/',
    'contract-tests/(?:(?:report|send|settings|credentials|hooks|testing)/|whole-file)',
    'traffic/(?:har|proxy|judge)/',
    'compat/(?!changes/|suite-breaks)',
    'console/(?!records/)',
  ].join('|')})`,
);

/** Whether a file may deal with the meaning of documents. */
function readsDocuments(file: string): boolean {
  return ROOMS.some((room) => file.startsWith(`${room}/`)) && !TESTS.test(file) && !OTHERS.test(file);
}

/** An ESTree node. */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Terms of protocols, formats and JSON Schema, which are not words of documents. */
const TECHNICAL: ReadonlySet<string> = new Set(
  `
  application image audio video http https url urn uri json xml yaml html css svg png jpeg gif webp utf ascii charset boundary bearer basic digest multipart text
  rel request response octet stream urlencoded gzip deflate zstd openapi swagger paths get put post patch delete head options trace connect query header
  cookie body content-type accept etag if-match if-none-match if-modified-since if-unmodified-since if-range expires
  cache-control max-age null true false nan infinity undefined import export function const return class var new string number
  integer boolean object array bigint symbol date date-time uuid email binary byte enum default example examples required type
  format items properties components schemas responses parameters schema $ref anyof oneof allof not minimum maximum pattern mailto
  file redis postgres sqlite unix win darwin linux localhost www com org net paddock node npm npx curl bash zsh fish sha sha256
`.split(/\s+/),
);

/** The parts of a pattern that contain no words: escapes, classes and names of groups. */
const NO_WORDS = /\\[pPu]\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\(\?<[A-Za-z]\w*>|\\k<\w+>|\\.|\[[^\]]*\]/gi;

/** Whether a regular expression contains a word: three or more letters in a row, except terms of protocols. */
function hasWords(pattern: string): boolean {
  const words = pattern.replace(NO_WORDS, ' ').match(/[A-Za-z][A-Za-z-]{2,}/g) ?? [];
  return words.some((word) => !TECHNICAL.has(word.toLowerCase()));
}

/** The English in a source: regular expressions with a word, and reads of a document's texts. */
function englishIn(source: string, file: string) {
  const expressions: string[] = [];
  const prose: string[] = [];
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const pattern = patternOf(node);
    if (pattern !== undefined && hasWords(pattern)) expressions.push(pattern);
    if (readsProse(node)) prose.push(source.slice(Number(node.start), Number(node.end)).slice(0, 80));
  });
  return { expressions, prose };
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
  const node = value as Node;
  // Types do not exist at run time.
  if (typeof node.type === 'string' && /^TS(?:Type|Interface|Literal|Union)/.test(node.type)) return;
  if (typeof node.type === 'string') visit(node);
  for (const [key, inner] of Object.entries(node)) if (key !== 'parent') walk(inner, visit);
}

function patternOf(node: Node): string | undefined {
  const { regex, callee, arguments: args } = node as Partial<Record<string, Node>>;
  if (node.type === 'Literal' && regex) return String(regex.pattern);
  if (!/^(?:New|Call)Expression$/.test(node.type) || callee?.name !== 'RegExp') return undefined;
  return textOf((args as unknown as Node[])[0]);
}

/** `spot.value.description`, `textAt(spot, 'summary')`, `const { description } = value`, `sentencesOf(spot)`. */
function readsProse(node: Node): boolean {
  const isProse = (one: unknown) => one === 'description' || one === 'summary';
  if (node.type === 'MemberExpression') return isProse((node.property as Node).name);
  if (node.type === 'ObjectPattern')
    return (node.properties as Node[]).some(
      (property) => property.type === 'Property' && isProse(keyOf(property)),
    );
  if (node.type !== 'CallExpression') return false;
  const { name } = node.callee as Node;
  return (
    /^(?:sentences(?:Of|In|About)|textOf(?:Parameter)?|stated\w+)$/.test(String(name)) ||
    (node.arguments as Node[]).some((argument) => isProse(literalOf(argument)))
  );
}

function keyOf({ key, computed }: Node): unknown {
  const { name, value } = key as Node;
  return computed ? undefined : (name ?? value);
}

const literalOf = (node: Node | null | undefined): unknown =>
  node?.type === 'Literal' ? (node.value ?? undefined) : undefined;

/** The literal text of a node, without interpolated values; undefined if it has none. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'TemplateLiteral')
    return (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked).join(' ');
  if (node?.type === 'ParenthesizedExpression') return textOf(node.expression as Node);
  if (node?.type !== 'BinaryExpression') return undefined;
  const sides = [node.left, node.right].map((one) => textOf(one as Node));
  return sides.some((side) => side === undefined) ? undefined : sides.join('');
}
