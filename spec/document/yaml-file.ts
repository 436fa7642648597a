import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParseOptions,
  parseDocument,
  type Tags,
  type Document as YamlDocument,
} from 'yaml';
import { exactNumber } from '../json/exact-json.ts';
import { aliasProblems } from './alias-problems.ts';
import { indentQuoted } from './indent-quoted.ts';
import { keyProblems } from './key-problems.ts';
import { normalize, TOO_DEEP } from './normalize.ts';
import type { ParsedText } from './parsed-text.ts';
import type { SyntaxProblem } from './problem.ts';

/** Reads YAML 1.2, or says everything that is wrong with its syntax. */
export function readYamlFile(uri: string, text: string): ParsedText | { problems: SyntaxProblem[] } {
  if (countParts(text) > MAX_PARTS)
    return { problems: [(/^\s*[{[]/.test(text) ? jsonProblem(text) : undefined) ?? TOO_LONG] };
  const parse = (source: string): YamlDocument =>
    parseDocument(source, {
      intAsBigInt: true,
      customTags: exactFloats,
      merge: true,
      prettyErrors: false,
      uniqueKeys: false,
    });
  const first = parse(text);
  const { yaml, starts, offsetOf: asWritten } = indentQuoted(text, first, parse);
  // Of a text that is broken in other ways the problems of the text as it is are shown.
  const syntax = yaml.errors.length > 0 ? syntaxProblems(first, uri, text) : [];
  const inTree = [...keyProblems(yaml), ...aliasProblems(yaml)];
  const problems =
    syntax.length > 0 ? syntax : inTree.map((one) => ({ ...one, offset: asWritten(one.offset) }));
  if (problems.length > 0) return { problems };
  const offsetOf: ParsedText['offsetOf'] = (path, part) => asWritten(offsetIn(yaml, path, part === 'value'));
  // Aliases share their value here; `normalize` measures what they expand to.
  const { value, problem } = normalize(yaml.toJS({ maxAliasCount: -1 }));
  if (problem) return { problems: [{ offset: offsetOf(problem.path), message: problem.message }] };
  const warnings = starts.map((offset) => ({ offset, message: UNINDENTED }));
  return { value, offsetOf, warnings };
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

function syntaxProblems({ errors }: YamlDocument, uri: string, text: string): SyntaxProblem[] {
  const json = errors.length > 0 && /\.json$/i.test(uri) ? jsonProblem(text) : undefined;
  if (json) return [json];
  return errors.map(({ pos: [offset], message }) => ({
    offset,
    // The YAML parser is recursive, and reports the end of the stack so.
    message: message.startsWith('Maximum call stack') ? TOO_DEEP : message,
  }));
}

/** Message and position of a JSON parser: those of YAML speak of flow maps and block collections. */
function jsonProblem(text: string): SyntaxProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const [, reason, position] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
    if (position !== undefined) return { offset: Number(position), message: `this is no JSON: ${reason}` };
    if (!message.includes('end of JSON')) return undefined;
    return { offset: text.trimEnd().length, message: 'this is no JSON: it ends too early' };
  }
}

/** `1e20` and `5.0` are integers in JSON: read as exactly as in a request, so that the two compare equal. */
function exactFloats(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:float' || tag.collection) return tag;
    const { resolve } = tag;
    return {
      ...tag,
      resolve(source: string, ...rest: [(message: string) => void, ParseOptions]) {
        const exact = exactNumber(source);
        return Number.isNaN(exact) ? resolve(source, ...rest) : exact;
      },
    };
  });
}

/** Follows the path through the syntax tree; where it leaves the tree (merged keys), the last node counts. */
function offsetIn(yaml: YamlDocument, path: readonly string[], ofValue: boolean): number {
  let node = yaml.contents as Node | null | undefined;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(yaml);
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === step);
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
