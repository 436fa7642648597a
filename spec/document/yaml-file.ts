import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  type Tags,
  visit,
  type Document as YamlDocument,
} from 'yaml';
import { exactNumber } from '../json/exact-json.ts';
import { normalize, type ParsedText, type SyntaxProblem } from './parsed-text.ts';
import { jsonProblem, repeatedKeys, syntaxProblems, treeProblems } from './yaml-problems.ts';

/** Reads YAML 1.2, or returns every syntax error. */
export function readYamlFile(uri: string, text: string): ParsedText | { problems: SyntaxProblem[] } {
  if (countParts(text) > MAX_PARTS)
    return { problems: [(/^\s*[{[]/.test(text) ? jsonProblem(text) : undefined) ?? TOO_LONG] };
  const parse = (source: string): YamlDocument =>
    withTextKeys(
      parseDocument(source, {
        intAsBigInt: true,
        customTags: exactFloats,
        merge: true,
        prettyErrors: false,
        uniqueKeys: false,
      }),
    );
  const first = parse(text);
  const { yaml, starts, offsetOf: asWritten } = indentQuoted(text, first, parse);
  const inText = (syntaxProblem: SyntaxProblem) => ({
    ...syntaxProblem,
    offset: asWritten(syntaxProblem.offset),
  });
  // If the text has other syntax errors, those of the original text are shown.
  const syntax = yaml.errors.length > 0 ? syntaxProblems(first, uri, text) : [];
  const problems = syntax.length > 0 ? syntax : treeProblems(yaml).map(inText);
  if (problems.length > 0) return { problems };
  const offsetOf: ParsedText['offsetOf'] = (path, part) => asWritten(offsetIn(yaml, path, part === 'value'));
  // Aliases share their value here; `normalize` measures their expansion.
  const { value, problem } = normalize(yaml.toJS({ maxAliasCount: -1 }));
  if (problem) return { problems: [{ offset: offsetOf(problem.path), message: problem.message }] };
  const unindented = starts.map((offset) => ({ offset, message: UNINDENTED }));
  return { value, offsetOf, warnings: [...unindented, ...repeatedKeys(yaml).map(inText)] };
}

/** Makes every key a text, even if it looks like another type (OpenAPI 3.1 §4.3: the Failsafe schema). */
function withTextKeys(yaml: YamlDocument): YamlDocument {
  const anchors = new Map<string, Scalar>();
  visit(yaml, {
    Scalar: (_, scalar) => void (scalar.anchor !== undefined && anchors.set(scalar.anchor, scalar)),
    Pair(_, pair) {
      const { key } = pair;
      const named = isAlias(key) ? anchors.get(key.source) : undefined;
      if (named) pair.key = Object.assign(named.clone() as Scalar, { anchor: undefined });
      const node = pair.key;
      // A merge key is a symbol.
      if (isScalar(node) && typeof node.value !== 'symbol')
        node.value = node.source ?? String(node.value ?? '');
    },
  });
  return yaml;
}

const UNINDENTED =
  'the further lines of this text in quotes must be indented more than its key; it is read as if they were';

/** The parser needs 2 to 3 kB for each part, and Node ends the process when memory runs out. */
const MAX_PARTS = 1_000_000;

const TOO_LONG: SyntaxProblem = {
  offset: 0,
  message: `YAML of more than ${MAX_PARTS} lines and items is not read; as JSON it takes a tenth of the memory`,
};

/** Block style has a part in each line, flow style one after each comma. */
function countParts(text: string): number {
  let count = 1;
  for (const sign of ['\n', ','])
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}

/**
 * `1e20` and `5.0` are integers in JSON: they are read exactly, as in a request, so that both compare equal. A value
 * that is not a JSON number (`.inf`), or too large, is a text.
 */
function exactFloats(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:float' || tag.collection) return tag;
    // JSON has no sign `+`, and requires digits on both sides of the point.
    const asJson = (source: string) =>
      source
        .replace(/^\+/, '')
        .replace(/^(-?)\./, '$10.')
        .replace(/\.(?!\d)/, '');
    return { ...tag, resolve: (source: string) => exactNumber(asJson(source)) ?? source };
  });
}

/**
 * The offset of the node at a path in the syntax tree; where the path leaves the tree (merged keys), that of the last
 * node.
 */
function offsetIn(yaml: YamlDocument, path: readonly string[], ofValue: boolean): number {
  let node = yaml.contents as Node | null | undefined;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(yaml);
    if (isMap(node)) {
      const pair = node.items.findLast((item) => isScalar(item.key) && String(item.key.value) === step);
      if (!pair) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = node.items[Number(step)] as Node | undefined;
      offset = node?.range?.[0] ?? offset;
    } else return offset;
  }
  return (ofValue ? node?.range?.[0] : undefined) ?? offset;
}

/** The limit of characters that are parsed again because of such scalars: each takes another parse of the text. */
const MOST_READ = 2 ** 26;

/**
 * Indents each quoted scalar whose continuation lines start no further right than its key. YAML 1.2 (§7.3) forbids
 * those, but most readers (go-yaml, js-yaml, PyYAML, SnakeYAML) accept them. Indentation in a quoted scalar is not part
 * of its value.
 */
function indentQuoted(
  text: string,
  first: YamlDocument,
  parse: (text: string) => YamlDocument,
): { yaml: YamlDocument; starts: readonly number[]; offsetOf: (offset: number) => number } {
  const added: { at: number; length: number }[] = [];
  const starts: number[] = [];
  /** Converts to an offset in the original text. */
  const offsetOf = (offset: number) =>
    added.reduce((sum, { at, length }) => sum - Math.min(length, Math.max(0, offset - at)), offset);
  let [yaml, now, read] = [first, text, 0];
  while (read < MOST_READ) {
    const scalar = cutScalar(yaml, now);
    if (!scalar) break;
    const [start, end] = scalar;
    const indent = ' '.repeat(start - now.lastIndexOf('\n', start));
    const piece = now.slice(start, end);
    const lines = piece.split('\n');
    const wanted = lines.map((line, index) => (index === 0 || line.trim() === '' ? line : indent + line));
    const next = now.slice(0, start) + wanted.join('\n') + now.slice(end);
    const parsed = parse(next);
    read += next.length;
    // The scalar has another syntax error.
    if (parsed.errors.some(({ pos: [at] }) => at < start + wanted.join('\n').length && at >= start)) break;
    starts.push(offsetOf(start));
    let at = start;
    const here = lines.flatMap((line, index) => {
      const place = { at, length: (wanted[index]?.length ?? 0) - line.length };
      at += (wanted[index]?.length ?? 0) + 1;
      return place.length > 0 ? [place] : [];
    });
    // Offsets are converted from the last indentation to the first, and earlier rounds come before these.
    added.unshift(...here.reverse());
    [yaml, now] = [parsed, next];
  }
  return { yaml, starts, offsetOf };
}

/** The first quoted scalar that the parser ends too early, at a line end: the offsets of its real start and end. */
function cutScalar(yaml: YamlDocument, text: string): readonly [start: number, end: number] | undefined {
  const [errorAt] = yaml.errors[0]?.pos ?? [-1];
  let [start, cutAt] = [-1, -1];
  visit(yaml, {
    Scalar(_, { type = '', range }) {
      if (/^QUOTE/.test(type) && range && range[0] < errorAt && range[0] > start) [start, cutAt] = range;
    },
  });
  if (start < 0) return undefined;
  const whole = text[start] === '"' ? /"(?:[^"\\]|\\[\s\S])*"/y : /'(?:[^']|'')*'/y;
  whole.lastIndex = start;
  const [quotedText = ''] = whole.exec(text) ?? [];
  const end = start + quotedText.length;
  // Otherwise the quote belongs to a later scalar.
  const isEnd = /^[ \t]*(?:\r?\n|$|[#,\]}])/.test(text.slice(end, end + 1000));
  return end > cutAt && isEnd ? [start, end] : undefined;
}
