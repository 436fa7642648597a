import { parseAst } from 'rolldown/parseAst';

/** What a source has of English: by this it could decide what names and texts of a document mean. */
export interface Vocabulary {
  /** The sources of regular expressions with a word in them. */
  readonly expressions: readonly string[];
  /** The lists of words, each with its words. */
  readonly lists: readonly (readonly string[])[];
  /** Where it reads the text of a document: `description`, `summary`. */
  readonly prose: readonly string[];
}

/** The rooms in which something could be decided by what a document's names and texts mean. */
export const ROOMS = ['spec', 'mock', 'contract-tests', 'traffic', 'compat', 'console'] as const;
const TESTS = /\.(?:test|cases|d)\.tsx?$|\/testing\//;
/** They know no meaning of documents. */
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

/** Whether a file may have to do with what documents mean. */
export function readsDocuments(file: string): boolean {
  return ROOMS.some((room) => file.startsWith(`${room}/`)) && !TESTS.test(file) && !OTHERS.test(file);
}

/** A node of ESTree. */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const named = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Terms of protocols, formats and JSON Schema are no words of documents. */
const TECHNICAL = named(`
  application image audio video http https url urn uri json xml yaml html css svg png jpeg gif webp utf ascii charset boundary bearer basic digest multipart text
  rel request response octet stream urlencoded gzip deflate zstd openapi swagger paths get put post patch delete head options trace connect query header
  cookie body content-type accept etag if-match if-none-match if-modified-since if-unmodified-since if-range expires
  cache-control max-age null true false nan infinity undefined import export function const return class var new string number
  integer boolean object array bigint symbol date date-time uuid email binary byte enum default example examples required type
  format items properties components schemas responses parameters schema $ref anyof oneof allof not minimum maximum pattern mailto
  file redis postgres sqlite unix win darwin linux localhost www com org net paddock node npm npx curl bash zsh fish sha sha256
`);

/** A word in a pattern: letters in a row, without escapes, classes and names of groups. */
const NO_WORDS = /\\[pPu]\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\(\?<[A-Za-z]\w*>|\\k<\w+>|\\.|\[[^\]]*\]/gi;

/** The words of a regular expression: letters in a row, three or more, beside terms of protocols. */
export function wordsOfPattern(pattern: string): string[] {
  return (pattern.replace(NO_WORDS, ' ').match(/[A-Za-z][A-Za-z-]{2,}/g) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !TECHNICAL.has(word));
}

/** Fewer words in a row are no list of them. */
const FEWEST = 3;
/** A sentence is none of the words of a name. */
const WORD = /^[a-z][a-z'_-]+(?: [a-z'_-]+){0,3}$/;

function listOf(texts: readonly unknown[]): string[] | undefined {
  const words = texts.filter((one): one is string => typeof one === 'string' && WORD.test(one));
  const known = words.filter((word) => !TECHNICAL.has(word));
  return words.length === texts.length && known.length >= FEWEST && known.length * 2 > words.length
    ? known
    : undefined;
}

/** @param file its name, for its ending alone */
export function vocabularyOf(source: string, file: string): Vocabulary {
  const expressions: string[] = [];
  const lists: string[][] = [];
  const prose: string[] = [];
  const add = (texts: readonly unknown[]) => {
    const list = listOf(texts);
    if (list) lists.push(list);
  };
  const seen = new Set<unknown>();
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const pattern = patternOf(node);
    if (pattern !== undefined && wordsOfPattern(pattern).length > 0) expressions.push(pattern);
    if (readsProse(node)) prose.push(source.slice(Number(node.start), Number(node.end)).slice(0, 80));
    if (seen.has(node)) return;
    if (isSplit(node)) {
      const text = textOf(((node.callee as Node).object as Node) ?? node);
      add(text?.split(/[\s|,]+/).filter(Boolean) ?? []);
    }
    if (node.type === 'ArrayExpression') {
      const pairs = node.elements as (Node | null)[];
      add(
        pairs.map((one) =>
          one?.type === 'ArrayExpression' ? literalOf((one.elements as Node[])[0]) : literalOf(one),
        ),
      );
    }
    if (node.type === 'ObjectExpression') {
      const members = (node.properties as Node[]).filter(({ type }) => type === 'Property');
      const values = members.map((one) => literalOf(one.value as Node));
      if (values.every((value) => typeof value === 'string')) add([...members.map(keyOf), ...values]);
    }
    if (node.type === 'TemplateLiteral') tableIn(textOf(node) ?? '').forEach(add);
  });
  return { expressions, lists, prose };
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
  const node = value as Node;
  // Types are gone at run time.
  if (typeof node.type === 'string' && /^TS(?:Type|Interface|Literal|Union)/.test(node.type)) return;
  if (typeof node.type === 'string') visit(node);
  for (const [key, inner] of Object.entries(node)) if (key !== 'parent') walk(inner, visit);
}

function patternOf(node: Node): string | undefined {
  const { regex, callee, arguments: given } = node as Partial<Record<string, Node>>;
  if (node.type === 'Literal' && regex) return String(regex.pattern);
  if (!/^(?:New|Call)Expression$/.test(node.type) || callee?.name !== 'RegExp') return undefined;
  return textOf((given as unknown as Node[])[0]);
}

/** `'a b c'.split(' ')` */
function isSplit({ type, callee }: Node): boolean {
  const { property, object } = (callee ?? {}) as Partial<Record<string, Node>>;
  return type === 'CallExpression' && property?.name === 'split' && textOf(object) !== undefined;
}

/** `spot.value.description`, `textAt(spot, 'summary')`, `const { description } = value`, `sentencesOf(spot)`. */
function readsProse(node: Node): boolean {
  const isProse = (one: unknown) => one === 'description' || one === 'summary';
  if (node.type === 'MemberExpression') return isProse((node.property as Node).name);
  if (node.type === 'ObjectPattern')
    return (node.properties as Node[]).some((one) => one.type === 'Property' && isProse(keyOf(one)));
  if (node.type !== 'CallExpression') return false;
  const { name } = node.callee as Node;
  return (
    /^(?:sentences(?:Of|In|About)|textOf(?:Parameter)?|stated\w+)$/.test(String(name)) ||
    (node.arguments as Node[]).some((one) => isProse(literalOf(one)))
  );
}

function keyOf({ key, computed }: Node): unknown {
  const { name, value } = key as Node;
  return computed ? undefined : (name ?? value);
}

const literalOf = (node: Node | null | undefined): unknown =>
  node?.type === 'Literal' ? (node.value ?? undefined) : undefined;

/** The text that is written there; undefined: none. What is put into it is left out. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'TemplateLiteral')
    return (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked).join(' ');
  if (node?.type === 'ParenthesizedExpression') return textOf(node.expression as Node);
  if (node?.type !== 'BinaryExpression') return undefined;
  const sides = [node.left, node.right].map((one) => textOf(one as Node));
  return sides.some((side) => side === undefined) ? undefined : sides.join('');
}

/** The lines of a table in a text: names, then `=` or `:` and what they stand for. */
function tableIn(text: string): string[][] {
  const rows = text.split('\n').flatMap((line) => /^\s*([a-z][a-z_' -]*?)\s*[=:]\s/.exec(line)?.[1] ?? []);
  return rows.length >= FEWEST ? rows.map((row) => row.split(' ')) : [];
}
