import { type Contract, compileContract } from './contract.ts';
import { rawChild, rawChildren, type Spot } from './document/spot.ts';
import { isRecord } from './json/json-value.ts';
import { METHODS, type Method, type Operation } from './operation.ts';

/** The same document with these operations only, so that less is compiled; source positions stay the same. */
export async function partOfContract(
  { document }: Contract,
  operations: Iterable<Operation>,
): Promise<Contract> {
  const kept = new Set([...operations].map(({ spot }) => spot.value));
  const { root } = document;
  const items = rawChildren(rawChild(root, 'paths')).map(
    ([path, item]) => [path, partOfItem(item, kept)] as const,
  );
  const paths = Object.fromEntries(
    items.filter(([path, item]) => path.startsWith('x-') || item !== undefined),
  );
  const value = { ...(root.value as object), paths };
  return compileContract(
    document.withFiles(new Map([[root.file, { ...root.file, value }]]), document.rebuilt),
  );
}

/** Undefined if it has none of them. An item behind a reference is kept completely. */
function partOfItem(item: Spot, kept: ReadonlySet<unknown>): unknown {
  if (!isRecord(item.value)) return undefined;
  if ('$ref' in item.value) {
    const target = item.document.resolve(item);
    return target && hasAny(target.value, kept) ? item.value : undefined;
  }
  if (!hasAny(item.value, kept)) return undefined;
  return Object.fromEntries(
    Object.entries(item.value).filter(
      ([key, value]) => !METHODS.includes(key.toUpperCase() as Method) || kept.has(value),
    ),
  );
}

function hasAny(value: unknown, kept: ReadonlySet<unknown>): boolean {
  return isRecord(value) && Object.values(value).some((one) => kept.has(one));
}
