import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParseOptions,
  parseDocument,
  type Tags,
  type Document as YamlDocument,
} from 'yaml';
import { exactNumber } from '../json/exact-json.ts';
import { aliasProblems } from './alias-problems.ts';
import { keyProblems } from './key-problems.ts';
import { normalize, TOO_DEEP } from './normalize.ts';
import { DocumentError, type Problem, type SyntaxProblem } from './problem.ts';

/** One YAML or JSON file of a document (JSON is read as YAML 1.2, of which it is a subset). */
export interface SourceFile {
  /** Path relative to the working directory, or URL. */
  readonly uri: string;
  readonly text: string;
  /** Plain frozen data; integers exact as in `parseJson`. */
  readonly value: unknown;
  /** Where the key of the member, or the item, at this path begins. Line and column count from 1. */
  positionOf(path: readonly string[]): { line: number; column: number };
  /** A problem at that position. */
  problemAt(path: readonly string[], message: string): Problem;
}

/**
 * Parses the text of a YAML or JSON file.
 * @param uri for messages; one that ends in `.json` gets the messages of a JSON parser
 * @throws DocumentError with every syntax error
 */
export function readSourceFile(uri: string, text: string): SourceFile {
  const lines = new LineCounter();
  const yaml = parseDocument(text, {
    lineCounter: lines,
    intAsBigInt: true,
    customTags: exactFloats,
    merge: true,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const locate = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problem = (position: { line: number; column: number }, message: string): Problem => {
    const start = lines.lineStarts[position.line - 1] ?? 0;
    const source = text.slice(start).split(/\r?\n/, 1)[0] ?? '';
    return { uri, ...position, message, source };
  };
  const refuse = (problems: readonly SyntaxProblem[]) => {
    if (problems.length > 0)
      throw new DocumentError(problems.map(({ offset, message }) => problem(locate(offset), message)));
  };
  refuse(syntaxProblems(yaml, uri, text));
  refuse([...keyProblems(yaml), ...aliasProblems(yaml)]);
  const positionOf = (path: readonly string[]) => locate(offsetOf(yaml, path));
  // Aliases share their value here; `normalize` measures what they expand to.
  const { value, problem: expansion } = normalize(yaml.toJS({ maxAliasCount: -1 }));
  if (expansion) throw new DocumentError([problem(positionOf(expansion.path), expansion.message)]);
  return {
    uri,
    text,
    value,
    positionOf,
    problemAt: (path, message) => problem(positionOf(path), message),
  };
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
function offsetOf(yaml: YamlDocument, path: readonly string[]): number {
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
  return offset;
}
