import type { Operation } from '#spec';

type Records = Readonly<Record<string, readonly unknown[]>>;

/** So many records of a collection are tried. */
const MOST = 3;

/**
 * Values for the parameters of a path, in their order, that name records: a collection is known by its path, and a
 * record by any of its members.
 */
export function pathsToRecords({ path }: Operation, records: Records): unknown[][] {
  const template = path.split('/').slice(1);
  return Object.entries(records).flatMap(([key, all]) => {
    const values = valuesAlong(template, key.split('/').slice(1));
    if (!values) return [];
    const { found, rest } = values;
    if (rest.filter(isParameter).length === 0) return [found];
    return all.slice(0, MOST).flatMap((record) => membersOf(record).map((value) => [...found, value]));
  });
}

const isParameter = (segment: string) => segment.includes('{');

function valuesAlong(template: readonly string[], concrete: readonly string[]) {
  if (concrete.length > template.length) return undefined;
  const found: unknown[] = [];
  for (const [index, text] of concrete.entries()) {
    const segment = template[index] ?? '';
    if (isParameter(segment)) found.push(decodeURIComponent(text));
    else if (segment !== text) return undefined;
  }
  return { found, rest: template.slice(concrete.length) };
}

function membersOf(record: unknown): unknown[] {
  const members = typeof record === 'object' && record !== null ? Object.entries(record) : [];
  const rank = ([name]: [string, unknown]) => (/^id$/i.test(name) ? 0 : /id$|key|code/i.test(name) ? 1 : 2);
  return members
    .filter(([, value]) => ['string', 'number', 'bigint'].includes(typeof value))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, 6)
    .map(([, value]) => value);
}
