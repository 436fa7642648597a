import { visit, type Document as YamlDocument } from 'yaml';

/** Characters that are read again for the sake of such scalars: each costs another reading of the text. */
const MOST_READ = 2 ** 26;

/**
 * YAML with each quoted scalar indented whose further lines begin no further right than its key: YAML 1.2 (§7.3) forbids them, and
 * most readers (go-yaml, js-yaml, PyYAML, SnakeYAML) take them. Indentation within a quoted scalar is no part of its value.
 */
export function indentQuoted(
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
  const [found = ''] = whole.exec(text) ?? [];
  const end = start + found.length;
  // Else it is the quote of a later scalar that was found.
  const isEnd = /^[ \t]*(?:\r?\n|$|[#,\]}])/.test(text.slice(end, end + 1000));
  return end > cutAt && isEnd ? [start, end] : undefined;
}
