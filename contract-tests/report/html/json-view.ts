import { isRecord } from '#spec';
import { html, inLines, type Markup, type Part } from './markup.ts';

/** A value that has no parts, as it was written. */
class Leaf {
  readonly written: string;
  constructor(written: string) {
    this.written = written;
  }
}

/** What is wrong in a body. */
export interface Failing {
  /** The member, from the root of the body. */
  readonly path: readonly string[];
  /** The body may have the record within others: the path counts from there. */
  readonly isOfRecord: boolean;
}

/** How a report says that it does not keep all of a body. */
const ENDS = /^(.*?)((?:… \(\d+ characters\))?(?:\n… \([^\n]* in all\))?)$/s;
/** What is nested deeper is shown as it is: nobody reads it, and a stack has an end. */
const DEEPEST = 64;
/** A shorter value stands in one line. */
const WIDEST = 60;

/**
 * A JSON text as highlighted, indented HTML, with what fails marked. Numbers and texts stay as they were written, and of a cut
 * text the members are shown that are whole.
 * @returns undefined where the text is no JSON, or is nested too deep to be laid out
 */
export function jsonView(
  source: string,
  failing?: Failing,
): { markup: Markup; isMarked: boolean } | undefined {
  const [, values = source, rest = ''] = ENDS.exec(source) ?? [];
  // A report shows some records of a list, a line each, and then how many there are.
  const isPartOfList = / in all\)$/.test(rest);
  const isCut = rest.startsWith('…');
  try {
    const roots = (isPartOfList ? values.split('\n') : [values]).map((one) =>
      read(isCut ? closed(one) : one),
    );
    const found = failing && find(roots[0], isPartOfList ? afterIndex(failing) : failing);
    const isWhole = found?.missing === undefined || !isCut;
    const lines = roots.flatMap((root) => linesOf(root, 0, '', '', isWhole ? found : undefined));
    const end = rest === '' ? [] : [html`<i>${rest.trim()}</i>`];
    return { markup: html`${inLines([...lines, ...end])}`, isMarked: isWhole && found !== undefined };
  } catch {
    return undefined;
  }
}

/** @throws SyntaxError for what is no object and no list of JSON */
function read(source: string): unknown {
  const asLeaf = (_: string, value: unknown, { source: written }: { source?: string }) =>
    written === undefined ? value : new Leaf(written);
  const value: unknown = JSON.parse(source, asLeaf as (key: string, value: unknown) => unknown);
  if (value instanceof Leaf) throw new SyntaxError('it has no members');
  return value;
}

/** The part of a cut text before the member that is not whole, with the brackets that it lacks. */
function closed(source: string): string {
  const open: string[] = [];
  let end = 0;
  for (const { 0: token, index } of source.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[{}[\],]/gs)) {
    if (token.startsWith('"')) continue;
    if (token === '{' || token === '[') open.unshift(token === '{' ? '}' : ']');
    else if (token !== ',') open.shift();
    end = token === ',' ? index : index + 1;
  }
  return source.slice(0, end) + open.join('');
}

interface Found {
  readonly value: unknown;
  /** The member that is not there, of the value. */
  readonly missing: string | undefined;
}

const membersOf = (value: unknown): [string, unknown][] =>
  Array.isArray(value) || (isRecord(value) && !(value instanceof Leaf)) ? Object.entries(value) : [];

function find(root: unknown, { path, isOfRecord }: Failing): Found | undefined {
  let value = isOfRecord ? recordIn(root, path) : root;
  for (const [index, token] of path.entries()) {
    const member = membersOf(value).find(([name]) => name === token);
    if (!member && index === path.length - 1 && !Array.isArray(value)) return { value, missing: token };
    if (!member) return undefined;
    value = member[1];
  }
  return { value, missing: undefined };
}

/** What envelopes and lists are around. */
function recordIn(root: unknown, path: readonly string[]): unknown {
  const [[name, inner] = [], ...others] = membersOf(root);
  if (name === undefined || membersOf(root).some(([one]) => one === path[0])) return root;
  if (others.length > 0 && !Array.isArray(root)) return root;
  return membersOf(inner).length > 0 ? recordIn(inner, path) : root;
}

function afterIndex({ path, isOfRecord }: Failing): Failing {
  const index = path.findIndex((token) => /^\d+$/.test(token));
  return { path: index < 0 ? path : path.slice(index + 1), isOfRecord };
}

function linesOf(value: unknown, depth: number, before: Part, after: string, found?: Found): Part[] {
  if (depth > DEEPEST) throw new RangeError('nested too deep');
  const indent = '  '.repeat(depth);
  const isFound = found !== undefined && found.value === value;
  const missing = isFound ? found.missing : undefined;
  const line = (...parts: Part[]) => [
    indent,
    isFound && missing === undefined ? html`<mark>${parts}</mark>` : parts,
  ];
  if (value instanceof Leaf) return [line(before, leaf(value), after)];
  const members = membersOf(value);
  const isList = Array.isArray(value);
  const [start, end] = isList ? ['[', ']'] : ['{', '}'];
  const keyOf = (name: string): Part => (isList ? '' : html`<b>${JSON.stringify(name)}</b>: `);
  const width = members.reduce(
    (sum, [name, one]) =>
      sum + (isList ? 0 : name.length + 2) + (one instanceof Leaf ? one.written.length : WIDEST) + 4,
    0,
  );
  if (width <= WIDEST && missing === undefined && !members.some(([, one]) => one === found?.value)) {
    const space = isList || members.length === 0 ? '' : ' ';
    const items = members.map(([name, one], index) => [index > 0 && ', ', keyOf(name), leaf(one as Leaf)]);
    return [line(before, start, space, items, space, end, after)];
  }
  return [
    line(before, start),
    ...members.flatMap(([name, one], index) =>
      linesOf(one, depth + 1, keyOf(name), index === members.length - 1 ? '' : ',', found),
    ),
    ...(missing === undefined
      ? []
      : [[indent, html`  <mark><i>${JSON.stringify(missing)} is not here</i></mark>`]]),
    line(end, after),
  ];
}

function leaf({ written }: Leaf): Markup {
  return html`<span class="${written.startsWith('"') ? 's' : 'n'}">${written}</span>`;
}
