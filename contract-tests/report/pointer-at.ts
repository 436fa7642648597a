import { type Contract, isRecord, type Place, toPointer } from '#spec';

type Position = Pick<Place, 'line' | 'column'>;

/** The JSON Pointer (RFC 6901) of a place in its file: it stays when lines are added elsewhere. */
export function pointerAt({ document }: Contract, place: Place): string {
  const file = [...document.files.values()].find(({ uri }) => uri === place.uri);
  const path: string[] = [];
  let value = file?.value;
  let here: Position = { line: 0, column: 0 };
  while (file && compare(here, place) !== 0) {
    // The place is in the last member that begins before it.
    const children = childrenOf(value)
      .map(([key, child]) => ({ key, child, at: file.positionOf([...path, key]) }))
      // An overlay adds members that stand in another file.
      .filter(({ at }) => at.uri === place.uri && compare(at, place) <= 0);
    const [first, ...others] = children;
    if (!first) break;
    const within = others.reduce((last, one) => (compare(one.at, last.at) > 0 ? one : last), first);
    path.push(within.key);
    [value, here] = [within.child, within.at];
  }
  return toPointer(path);
}

function compare(one: Position, other: Position): number {
  return one.line - other.line || one.column - other.column;
}

function childrenOf(value: unknown): [string, unknown][] {
  return Array.isArray(value) || isRecord(value) ? Object.entries(value) : [];
}
