import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

/** One call of a function of this project. */
export interface Entered {
  /** Relative to the root of the project, with `/`. */
  readonly file: string;
  /** Its name, or that of the variable or member with the function; `(anonymous)` if it has none. */
  readonly name: string;
}

const ROOT = join(import.meta.dirname, '..');
const NOTE = '__entered';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/**
 * Records the calls of this project's functions, in order, in modules loaded after this call. Inserts a recording call
 * at the start of each function.
 * @returns the calls since the last call of the returned function
 */
export function noteEntered(): () => Entered[] {
  const functions: Entered[] = [];
  let entered: number[] = [];
  Object.assign(globalThis, { [NOTE]: (at: number) => entered.push(at) });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)).split(sep).join('/') : '';
      if (!/^(?!\.\.|node_modules\/|quality\/).*\.ts$/.test(file)) return loaded;
      const source = readFileSync(fileURLToPath(url), 'utf8');
      return { ...loaded, source: withNotes(source, (name) => functions.push({ file, name }) - 1) };
    },
  });
  return () => {
    const seen = entered.flatMap((at) => functions[at] ?? []);
    entered = [];
    return seen;
  };
}

const isFunction = (node: Node | null | undefined): boolean =>
  /^(?:Function|ArrowFunction)/.test(node?.type ?? '');

/** @param numberOf the number that identifies a function */
function withNotes(source: string, numberOf: (name: string) => number): string {
  const added: [at: number, text: string][] = [];
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, name);
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
    const node = value as Node;
    const { id, key, body } = node as Partial<Record<string, Node>>;
    const named = [id, key].find((one) => typeof one?.name === 'string')?.name as string | undefined;
    if (isFunction(node) && body) {
      const note = `${NOTE}(${numberOf(named ?? name)})`;
      if (body.type === 'BlockStatement') added.push([body.start + 1, `${note};`]);
      else added.push([body.start, `(${note},`], [body.end, ')']);
    }
    const assigned = (node.init ?? node.value) as Node | undefined;
    const inner = named && isFunction(assigned) ? named : '(anonymous)';
    for (const [member, one] of Object.entries(node)) if (member !== 'parent') visit(one, inner);
  };
  visit(parseAst(source, { lang: 'ts' }), '(anonymous)');
  // Insertions at the same offset keep their order.
  return added
    .map((one, order) => ({ at: one[0], text: one[1], order }))
    .sort((a, b) => b.at - a.at || b.order - a.order)
    .reduce((text, { at, text: note }) => text.slice(0, at) + note + text.slice(at), source);
}
