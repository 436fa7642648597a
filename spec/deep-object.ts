import { memberForm } from './member-form.ts';
import { listForm } from './parameter-style.ts';
import { percentDecode } from './percent-coding.ts';
import type { Shape } from './schema/shape.ts';

type DecodeText = (text: string, shape: Shape | undefined) => unknown;

interface Leaf {
  /** The names in brackets that lead to it. */
  readonly path: readonly string[];
  readonly text: string;
}

/** What is nested deeper is a name with brackets in it. */
const MAX_DEPTH = 16;

/**
 * An object from the texts of a `deepObject` parameter: `[R]=100`, and as most libraries write it where OpenAPI leaves it
 * open: `[a][b]=1` for objects in objects, `[a]=1` repeated, `[a][]=1` or `[a][0]=1` for arrays.
 */
export function decodeDeepObject(shape: Shape, texts: readonly string[], decode: DecodeText): unknown {
  const leaves = texts.map((text): Leaf => {
    const [, names = '', rest = ''] = /^((?:\[[^\]]*\])*)=?(.*)$/s.exec(text) ?? [];
    const path = names.slice(1, -1).split('][');
    const deepest = path.slice(MAX_DEPTH - 1);
    return {
      path: [...path.slice(0, MAX_DEPTH - 1), ...(deepest.length > 0 ? [deepest.join('][')] : [])],
      text: rest,
    };
  });
  return build(shape, leaves, decode);
}

/** The leaves of each item of `[][a]=1&[][b]=2&[][a]=3`: one that the item has already begins the next. */
function itemsOf(leaves: readonly Leaf[]): Leaf[][] {
  const items: Leaf[][] = [];
  let names = new Set<string>();
  for (const leaf of leaves) {
    const { path } = leaf;
    const name = path.join('][');
    const isNext = path.length === 0 || (names.has(name) && !path.includes(''));
    if (isNext || items.length === 0) {
      items.push([]);
      names = new Set();
    }
    items.at(-1)?.push(leaf);
    names.add(name);
  }
  return items;
}

function build(shape: Shape | undefined, leaves: readonly Leaf[], decode: DecodeText): unknown {
  const list = shape && listForm(shape);
  const own = leaves.filter(({ path }) => path.length === 0);
  if (own.length > 0) {
    const values = own.map(({ text }) => decode(percentDecode(text), list ? list.items : shape));
    return list || values.length > 1 ? values : values[0];
  }
  const below = Map.groupBy(leaves, ({ path }) => path[0] as string);
  const inside = (group: readonly Leaf[]) => group.map(({ path, text }) => ({ path: path.slice(1), text }));
  if (list && [...below.keys()].every((name) => /^\d*$/.test(name)))
    return [...below].flatMap(([name, group]) =>
      name === ''
        ? itemsOf(inside(group)).map((item) => build(list.items, item, decode))
        : [build(list.items, inside(group), decode)],
    );
  return Object.fromEntries(
    [...below].map(([name, group]) => [name, build(shape && memberForm(shape, name), inside(group), decode)]),
  );
}
