import { isRecord } from '#spec';
import { html, inLines, type Markup, type Part } from './markup.ts';

/** A scalar JSON value, as it was written. */
class Leaf {
  readonly written: string;
  constructor(written: string) {
    this.written = written;
  }
}

/** The failing part of a body. */
export interface Failing {
  /** The path of the member, from the root of the body. */
  readonly path: readonly string[];
  /** Whether the path starts at the record, which the body may contain in an envelope. */
  readonly isOfRecord: boolean;
}

/** The note with which a report marks a shortened body. */
const ENDS = /^(.*?)((?:… \(\d+ characters\))?(?:\n… \([^\n]* in all\))?)$/s;
/** Deeper values are shown without formatting: nobody reads them, and the stack is limited. */
const DEEPEST = 64;
/** A shorter value is written in one line. */
const WIDEST = 60;

/**
 * A JSON text as highlighted, indented HTML, with the failing part marked. Numbers and texts stay as they were written; of
 * a shortened text, the complete members are shown.
 * @returns undefined if the text is no JSON, or is nested too deeply
 */
export function jsonView(
  source: string,
  failing?: Failing,
): { markup: Markup; isMarked: boolean } | undefined {
  const [, values = source, rest = ''] = ENDS.exec(source) ?? [];
  // A report shows some records of a list, one per line, followed by their total.
  const isPartOfList = rest.endsWith(' in all)');
  const isCut = rest.startsWith('…');
  try {
    const roots = (isPartOfList ? values.split('\n') : [values]).map((one) =>
      read(isCut ? closed(one) : one),
    );
    const match = failing && find(roots[0], isPartOfList ? afterIndex(failing) : failing);
    const visible = isCut && match?.missing !== undefined ? undefined : match;
    const lines = roots.map((root) => marked(root, write(root, '', visible), visible));
    return {
      markup: html`${inLines([...lines, ...(rest === '' ? [] : [html`<i>${rest.trim()}</i>`])])}`,
      isMarked: visible !== undefined,
    };
  } catch {
    return undefined;
  }
}

/** @throws SyntaxError if it is neither an object nor a list */
function read(source: string): unknown {
  const asLeaf = (_: string, value: unknown, { source: written }: { source?: string }) =>
    written === undefined ? value : new Leaf(written);
  const value: unknown = JSON.parse(source, asLeaf as (key: string, value: unknown) => unknown);
  if (value instanceof Leaf) throw new SyntaxError('it has no members');
  return value;
}

/** Closes a shortened text: it keeps complete members, and adds the missing brackets. */
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

interface Match {
  readonly value: unknown;
  /** The name of a missing member. */
  readonly missing: string | undefined;
}

const membersOf = (value: unknown): [string, unknown][] =>
  Array.isArray(value) || (isRecord(value) && !(value instanceof Leaf)) ? Object.entries(value) : [];

function find(root: unknown, { path, isOfRecord }: Failing): Match | undefined {
  let value = isOfRecord ? recordIn(root, path) : root;
  for (const [index, token] of path.entries()) {
    const member = membersOf(value).find(([name]) => name === token);
    if (!member && index === path.length - 1 && !Array.isArray(value)) return { value, missing: token };
    if (!member) return undefined;
    value = member[1];
  }
  return { value, missing: undefined };
}

/** Skips envelopes and lists around the record. */
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

function write(value: unknown, indent: string, match: Match | undefined): Part {
  if (value instanceof Leaf)
    return html`<span class="${value.written.startsWith('"') ? 's' : 'n'}">${value.written}</span>`;
  if (indent.length > 2 * DEEPEST) throw new RangeError('nested too deep');
  const members = membersOf(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const parts = members.map(([name, one]) => {
    const key = !isList && html`<b>${JSON.stringify(name)}</b>: `;
    return marked(one, [key, write(one, inner, match)], match);
  });
  if (match?.missing !== undefined && match.value === value)
    parts.push(html`<mark><i>${JSON.stringify(match.missing)} is not here</i></mark>`);
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

function marked(value: unknown, part: Part, match: Match | undefined): Part {
  return match && match.value === value && match.missing === undefined ? html`<mark>${part}</mark>` : part;
}
