import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse } from 'parse5';

/** A reference of a built page to something else. */
interface Reference {
  /** The path of the page in the folder. */
  readonly page: string;
  readonly element: string;
  readonly target: string;
}

interface Node {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

/** The references of a built site's pages, and those whose targets do not exist. */
export function readBuiltLinks(folder: string, base: string) {
  const pages = globSync('**/*.html', { cwd: folder });
  const trees = new Map(
    pages.map((page) => [page, elements(parse(readFileSync(join(folder, page), 'utf8')))]),
  );
  const ids = new Map(
    [...trees].map(([page, nodes]) => [page, new Set(nodes.map((node) => attribute(node, 'id')))]),
  );
  const references = [...trees].flatMap(([page, nodes]) => nodes.flatMap((node) => referencesOf(node, page)));
  const isDead = ({ page, target }: Reference) => {
    const [path = '', fragment = ''] = target.split('#');
    const inside = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path);
    const file = decodeURI(path === '' ? page : inside || 'index.html');
    if (!existsSync(join(folder, file))) return true;
    return fragment !== '' && !ids.get(file)?.has(decodeURIComponent(fragment));
  };
  const [outside, inside] = partition(references, ({ target }) => /^[a-z][a-z0-9+.-]*:/i.test(target));
  return { pages, inside, outside, dead: inside.filter(isDead) };
}

function elements(node: Node): Node[] {
  return [node, ...(node.childNodes ?? []).flatMap(elements)];
}

function attribute({ attrs = [] }: Node, name: string): string | undefined {
  return attrs.find((attr) => attr.name === name)?.value;
}

function referencesOf(node: Node, page: string): Reference[] {
  return ['href', 'src'].flatMap((name) => {
    const target = attribute(node, name);
    return target === undefined ? [] : [{ page, element: node.nodeName, target }];
  });
}

function partition<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
