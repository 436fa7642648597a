import { escapeHtml as text } from '../escape.ts';

/** A JSON value as it was written: a cut one ends where the text ends. */
interface Written {
  /** What it begins with: a bracket, or the whole of a simple value. */
  readonly lexeme: string;
  /** With the key as it was written; an item has none. */
  readonly members: { readonly key: string | undefined; readonly value: Written }[];
  /** Undefined: it is no object and no array. Empty: the text ends within it. */
  readonly end: string | undefined;
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

const TOKEN = /\s+|"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gsy;

/**
 * A JSON text as highlighted, indented HTML, with what fails marked. Numbers, texts and repeated keys stay as they were
 * written, and a cut text is shown as far as it goes.
 * @returns undefined where the text is no JSON, or is nested too deep to be laid out
 */
export function jsonView(source: string, failing?: Failing): { html: string; isMarked: boolean } | undefined {
  // A report shows some records of a list, a line each, and then how many there are.
  const [, values = source, rest = ''] = ENDS.exec(source) ?? [];
  const roots = readAll(values);
  if (!roots) return undefined;
  const [first] = roots;
  const isPartOfList = / in all\)$/.test(rest);
  const found = failing && first ? find(first, isPartOfList ? afterIndex(failing) : failing) : undefined;
  const lines = roots.flatMap((root) => linesOf(root, 0, '', '', found));
  const end = rest === '' ? '' : `\n<i>${text(rest.trim())}</i>`;
  return { html: `${lines.join('\n')}${end}`, isMarked: found !== undefined };
}

/** What is nested deeper is shown as it is: nobody reads it, and a stack has an end. */
const DEEPEST = 64;

function readAll(source: string): Written[] | undefined {
  if (!/^\s*[[{]/.test(source)) return undefined;
  const tokens = (source.match(TOKEN) ?? []).filter((token) => token.trim() !== '');
  const roots: Written[] = [];
  let at = 0;

  function read(depth: number): Written | undefined {
    const lexeme = tokens[at];
    if (depth > DEEPEST || lexeme === undefined || /^[\]},:]$/.test(lexeme)) return undefined;
    at += 1;
    if (lexeme !== '{' && lexeme !== '[') return isSimple(lexeme, tokens[at]) ? leaf(lexeme) : undefined;
    const members: Written['members'] = [];
    const close = lexeme === '{' ? '}' : ']';
    for (;;) {
      const token = tokens[at];
      if (token === undefined) return { lexeme, members, end: '' };
      if (token === close) {
        at += 1;
        return { lexeme, members, end: close };
      }
      if (token === ',' && members.length > 0) at += 1;
      const key = lexeme === '{' ? tokens[at] : undefined;
      if (key !== undefined) {
        if (!key.startsWith('"')) return undefined;
        at += 1;
        if (tokens[at] === ':') at += 1;
        else if (tokens[at] !== undefined) return undefined;
        // The text may end behind the key.
        if (tokens[at] === undefined) {
          members.push({ key, value: leaf('') });
          continue;
        }
      } else if (tokens[at] === undefined) continue;
      const value = read(depth + 1);
      if (!value) return undefined;
      members.push({ key, value });
    }
  }

  while (at < tokens.length) {
    const root = read(0);
    if (!root) return undefined;
    roots.push(root);
  }
  return roots;
}

const leaf = (lexeme: string): Written => ({ lexeme, members: [], end: undefined });

/** Of the last token of a cut text the end may be missing. */
function isSimple(lexeme: string, next: string | undefined): boolean {
  if (lexeme.startsWith('"') || /^-?\d[\d.eE+-]*$/.test(lexeme)) return true;
  const words = ['true', 'false', 'null'];
  return words.includes(lexeme) || (next === undefined && words.some((word) => word.startsWith(lexeme)));
}

interface Found {
  readonly value: Written;
  /** The member that is not there, of the value. */
  readonly missing: string | undefined;
}

function find(root: Written, failing: Failing): Found | undefined {
  const from = failing.isOfRecord ? recordIn(root, failing.path) : root;
  let value = from;
  for (const [index, token] of failing.path.entries()) {
    const next = value.members.find(({ key }, position) => nameOf(key, position) === token)?.value;
    if (next) {
      value = next;
      continue;
    }
    const isHere = index === failing.path.length - 1 && value.lexeme === '{' && value.end === '}';
    return isHere ? { value, missing: token } : undefined;
  }
  return { value, missing: undefined };
}

/** What envelopes and lists are around. */
function recordIn(root: Written, [token]: readonly string[]): Written {
  const [only, ...others] = root.members;
  const isHere = root.members.some(({ key }, index) => nameOf(key, index) === token);
  if (isHere || !only || (others.length > 0 && root.lexeme === '{')) return root;
  return only.value.members.length > 0 ? recordIn(only.value, [token ?? '']) : root;
}

function nameOf(key: string | undefined, position: number): string {
  if (key === undefined) return String(position);
  try {
    return String(JSON.parse(key));
  } catch {
    return key;
  }
}

function afterIndex({ path, isOfRecord }: Failing): Failing {
  const index = path.findIndex((token) => /^\d+$/.test(token));
  return { path: index < 0 ? path : path.slice(index + 1), isOfRecord };
}

/** A shorter value stands in one line. */
const WIDEST = 60;

function linesOf(
  value: Written,
  depth: number,
  before: string,
  after: string,
  found: Found | undefined,
): string[] {
  const indent = '  '.repeat(depth);
  const isFound = found?.value === value;
  const isMarked = isFound && found.missing === undefined;
  const mark = (line: string) => `${indent}${isMarked ? `<mark>${line}</mark>` : line}`;
  if (value.end === undefined) return [mark(`${before}${simple(value.lexeme)}${after}`)];
  const isFlat = value.members.every((one) => one.value.end === undefined);
  const short = isFlat && !(isFound && found.missing !== undefined) && !holds(value, found);
  const inOne = short ? flat(value) : undefined;
  if (inOne !== undefined) return [mark(`${before}${inOne}${after}`)];
  const ghost =
    isFound && found.missing !== undefined
      ? [`${indent}  <mark><i>${text(JSON.stringify(found.missing))} is not here</i></mark>`]
      : [];
  const last = value.members.length - 1;
  return [
    mark(`${before}${value.lexeme}`),
    ...value.members.flatMap((one, index) => {
      const key = one.key === undefined ? '' : `<b>${text(one.key)}</b>: `;
      return linesOf(one.value, depth + 1, key, index === last ? '' : ',', found);
    }),
    ...ghost,
    ...(value.end === '' ? [] : [mark(`${value.end}${after}`)]),
  ];
}

function holds({ members }: Written, found: Found | undefined): boolean {
  return members.some(({ value }) => value === found?.value);
}

/** A list or an object of simple values in one line; undefined: it is too long. */
function flat({ lexeme, members, end }: Written): string | undefined {
  const length = members.reduce((sum, one) => sum + (one.key?.length ?? 0) + one.value.lexeme.length + 4, 0);
  if (length > WIDEST || end === '') return undefined;
  const items = members.map(
    ({ key, value }) => `${key === undefined ? '' : `<b>${text(key)}</b>: `}${simple(value.lexeme)}`,
  );
  const space = lexeme === '{' && items.length > 0 ? ' ' : '';
  return `${lexeme}${space}${items.join(', ')}${space}${end}`;
}

function simple(lexeme: string): string {
  if (lexeme === '') return '';
  return `<span class="${lexeme.startsWith('"') ? 's' : 'n'}">${text(lexeme)}</span>`;
}
