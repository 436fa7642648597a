import { compareOrdered, isWithin, memberShape, placeOf, type Shape, type SortKey, toPointer } from '#spec';
import { shorten } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import type { Breach, Law } from './law.ts';
import { equalJson } from './same-value.ts';

type Data = Readonly<Record<string, unknown>>;

/** Each record that a list shows lies within its bounds. Of the bound itself that is said only where it is written. */
const withinBounds: Law = {
  name: 'bounds',
  applies: ({ page }) => (page?.query.bounds.length ?? 0) > 0,
  judge({ page }) {
    const { query, records } = page ?? { query: { bounds: [] }, records: [] };
    return query.bounds.flatMap(({ bound, value }): Breach[] => {
      const { property, side, parameter } = bound;
      const strays = records.filter((record) => isWithin(bound, record[property], value) === false);
      const [stray] = strays;
      if (!stray) return [];
      const rest = bound.inclusive === false ? ', and not this one' : '';
      return [
        {
          law: 'bounds',
          kind: 'stray',
          received: `a record whose ${property} is ${shorten(stray[property])}: ${shorten(stray)}`,
          documented: `only records whose ${property} is at ${side} ${shorten(value)}${rest}`,
          at: placeOf(parameter.spot),
          part: toPointer([property]),
          about: strays,
          rests: [bound],
        },
      ];
    });
  },
};

/** Texts of which every collation says the same. */
const PLAIN = [/^[a-z]+$/, /^[A-Z]+$/];

/** Which value comes first; undefined: services may differ, as in letters of both cases or in the order of an enumeration. */
function orderOfValues(left: unknown, right: unknown, member: Shape | undefined): number | undefined {
  if (!member || member.values || left == null || right == null) return undefined;
  if (typeof left !== 'string' || typeof right !== 'string') return compareOrdered(left, right);
  if (member.find('format')) return compareOrdered(left, right);
  if (!PLAIN.some((one) => one.test(left) && one.test(right))) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether the second record has to stand before the first one; `ways`: the directions that the list has shown so far. */
function isMisplaced(
  one: Data,
  other: Data,
  keys: readonly SortKey[],
  record: Shape,
  ways: Map<string, boolean>,
): boolean {
  for (const { property, descending } of keys) {
    const order = orderOfValues(one[property], other[property], memberShape(record, property));
    if (order === undefined) return false;
    if (order === 0) continue;
    const way = descending ?? ways.get(property) ?? order > 0;
    ways.set(property, way);
    return order > 0 !== way;
  }
  return false;
}

/**
 * The records of a list, and of the page before, are in the order that was asked for; ties, null and texts that collations
 * order in different ways are free. A direction that the document does not say is either one, for the whole list.
 */
const inOrder: Law = {
  name: 'order',
  applies: ({ page }) => page?.query.order !== undefined,
  judge(evidence) {
    const { page } = evidence;
    const sent = page?.query.order;
    if (!page || !sent) return [];
    const ways = new Map<string, boolean>();
    const { order, keys } = sent;
    const breach = (one: Data, other: Data, where: string): Breach[] => {
      const shown = (record: Data) =>
        keys.map(({ property }) => `${property} ${shorten(record[property])}`).join(', ');
      return [
        {
          law: 'order',
          received: `${shown(one)} before ${shown(other)}${where}`,
          documented: `ordered by ${keys.map(keyText).join(', then ')}`,
          at: placeOf(order.parameter.spot),
          about: [one, other],
          rests: [order],
        },
      ];
    };
    for (const [index, record] of page.records.entries()) {
      const next = page.records[index + 1];
      if (next && isMisplaced(record, next, keys, order.record, ways)) return breach(record, next, '');
    }
    const around = acrossPages(evidence);
    if (!around || keys.some(({ descending }) => descending === undefined)) return [];
    return isMisplaced(around.last, around.first, keys, order.record, ways)
      ? breach(around.last, around.first, ', on the next page')
      : [];
  },
};

function keyText({ property, descending }: SortKey): string {
  return descending === undefined
    ? property
    : `${property}, ${descending ? 'the greatest' : 'the least'} first`;
}

/** The last record of a page and the first one of the next, where the same page is still the same afterwards. */
function acrossPages(now: Evidence): { readonly last: Data; readonly first: Data } | undefined {
  const [before, next] = now.earlier.slice(-2);
  if (!before?.page || !next?.page || !now.page || next.page.resource !== now.page.resource) return undefined;
  const isSame =
    equalJson(before.exchange.input, now.exchange.input) && equalJson(before.page.records, now.page.records);
  const last = before.page.records.at(-1);
  const [first] = next.page.records;
  if (!isSame || !last || !first || !equalJson(before.page.query.order?.keys, next.page.query.order?.keys))
    return undefined;
  const follows =
    next.page.position.start === (before.page.position.start ?? Number.NaN) + before.page.records.length;
  return follows ? { last, first } : undefined;
}

export const QUERY_LAWS: readonly Law[] = [withinBounds, inOrder];
