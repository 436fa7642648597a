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

/** Reads YAML 1.2, or says everything that is wrong with its syntax. */
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
  const inText = (one: SyntaxProblem) => ({ ...one, offset: asWritten(one.offset) });
  // Of a text that is broken in other ways the problems of the text as it is are shown.
  const syntax = yaml.errors.length > 0 ? syntaxProblems(first, uri, text) : [];
  const problems = syntax.length > 0 ? syntax : treeProblems(yaml).map(inText);
  if (problems.length > 0) return { problems };
  const offsetOf: ParsedText['offsetOf'] = (path, part) => asWritten(offsetIn(yaml, path, part === 'value'));
  // Aliases share their value here; `normalize` measures what they expand to.
  const { value, problem } = normalize(yaml.toJS({ maxAliasCount: -1 }));
  if (problem) return { problems: [{ offset: offsetOf(problem.path), message: problem.message }] };
  const unindented = starts.map((offset) => ({ offset, message: UNINDENTED }));
  return { value, offsetOf, warnings: [...unindented, ...repeatedKeys(yaml).map(inText)] };
}

/** Keys are texts as they are written, whatever values would look like them (OpenAPI 3.1 §4.3: the Failsafe schema). */
function withTextKeys(yaml: YamlDocument): YamlDocument {
  const anchors = new Map<string, Scalar>();
  visit(yaml, {
    Scalar: (_, scalar) => void (scalar.anchor !== undefined && anchors.set(scalar.anchor, scalar)),
    Pair(_, pair) {
      const { key } = pair;
      const named = isAlias(key) ? anchors.get(key.source) : undefined;
      if (named) pair.key = Object.assign(named.clone() as Scalar, { anchor: undefined });
      const node = pair.key;
      // That of a merge is a symbol.
      if (isScalar(node) && typeof node.value !== 'symbol')
        node.value = node.source ?? String(node.value ?? '');
    },
  });
  return yaml;
}

const UNINDENTED =
  'the further lines of this text in quotes must be indented more than its key; it is read as if they were';

/** The parser needs 2 to 3 kB for each, and Node ends a process that has no memory left. */
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
 * `1e20` and `5.0` are integers in JSON: read as exactly as in a request, so that the two compare equal. What is no number
 * of JSON (`.inf`), or too large to be read, is text.
 */
function exactFloats(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:float' || tag.collection) return tag;
    // JSON has no sign `+`, and digits on both sides of the point.
    const asJson = (source: string) =>
      source
        .replace(/^\+/, '')
        .replace(/^(-?)\./, '$10.')
        .replace(/\.(?!\d)/, '');
    return { ...tag, resolve: (source: string) => exactNumber(asJson(source)) ?? source };
  });
}

/** Follows the path through the syntax tree; where it leaves the tree (merged keys), the last node counts. */
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

/** Characters that are read again for the sake of such scalars: each costs another reading of the text. */
const MOST_READ = 2 ** 26;

/**
 * YAML with each quoted scalar indented whose further lines begin no further right than its key: YAML 1.2 (§7.3) forbids them, and
 * most readers (go-yaml, js-yaml, PyYAML, SnakeYAML) take them. Indentation within a quoted scalar is no part of its value.
 */
function indentQuoted(
  text: string,
  first: YamlDocument,
  parse: (text: string) => YamlDocument,
): { yaml: YamlDocument; starts: readonly number[]; offsetOf: (offset: number) => number } {
  const added: { at: number; length: number }[] = [];
  const starts: number[] = [];
  /** In the text as it was. */
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
    // What stands there is broken in another way.
    if (parsed.errors.some(({ pos: [at] }) => at < start + wanted.join('\n').length && at >= start)) break;
    starts.push(offsetOf(start));
    let at = start;
    const here = lines.flatMap((line, index) => {
      const place = { at, length: (wanted[index]?.length ?? 0) - line.length };
      at += (wanted[index]?.length ?? 0) + 1;
      return place.length > 0 ? [place] : [];
    });
    // The last is undone first; the places of an earlier round are before these.
    added.unshift(...here.reverse());
    [yaml, now] = [parsed, next];
  }
  return { yaml, starts, offsetOf };
}

/** The first quoted scalar that ends at a line end for the parser, and behind it in truth: from its quote to behind the other. */
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
  // Else it is the quote of a later scalar that was found.
  const isEnd = /^[ \t]*(?:\r?\n|$|[#,\]}])/.test(text.slice(end, end + 1000));
  return end > cutAt && isEnd ? [start, end] : undefined;
}
