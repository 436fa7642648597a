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
  const isPartOfList = rest.endsWith(' in all)');
  const isCut = rest.startsWith('…');
  try {
    const roots = (isPartOfList ? values.split('\n') : [values]).map((one) =>
      read(isCut ? closed(one) : one),
    );
    const found = failing && find(roots[0], isPartOfList ? afterIndex(failing) : failing);
    const shown = isCut && found?.missing !== undefined ? undefined : found;
    const lines = roots.map((root) => marked(root, write(root, '', shown), shown));
    return {
      markup: html`${inLines([...lines, ...(rest === '' ? [] : [html`<i>${rest.trim()}</i>`])])}`,
      isMarked: shown !== undefined,
    };
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

function write(value: unknown, indent: string, found: Found | undefined): Part {
  if (value instanceof Leaf)
    return html`<span class="${value.written.startsWith('"') ? 's' : 'n'}">${value.written}</span>`;
  if (indent.length > 2 * DEEPEST) throw new RangeError('nested too deep');
  const members = membersOf(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const parts = members.map(([name, one]) => {
    const key = !isList && html`<b>${JSON.stringify(name)}</b>: `;
    return marked(one, [key, write(one, inner, found)], found);
  });
  if (found?.missing !== undefined && found.value === value)
    parts.push(html`<mark><i>${JSON.stringify(found.missing)} is not here</i></mark>`);
  const width = members.reduce(
    (sum, [name, one]) => sum + name.length + (one instanceof Leaf ? one.written.length : WIDEST),
    0,
  );
  const [start, end] = isList ? ['[', ']'] : ['{', '}'];
  const joined = (between: string) => parts.map((part, index) => [index > 0 && between, part]);
  if (parts.length === 0) return `${start}${end}`;
  if (width > WIDEST) return [start, `\n${inner}`, joined(`,\n${inner}`), `\n${indent}`, end];
  return isList ? [start, joined(', '), end] : [start, ' ', joined(', '), ' ', end];
}

function marked(value: unknown, part: Part, found: Found | undefined): Part {
  return found && found.value === value && found.missing === undefined ? html`<mark>${part}</mark>` : part;
}
