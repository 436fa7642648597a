import { answerShape, isRecord, memberShape, type Operation, placeOf, type Resource } from '#spec';
import type { Breach } from './law.ts';
import { equalJson } from './record.ts';
import { shorten } from './shorten.ts';

type Data = Record<string, unknown>;

/** What is read by an id bears that id. */
export function judgePathId(resource: Resource, id: unknown, record: unknown): Breach[] {
  const property = resource.id?.property;
  if (property === undefined || !isRecord(record) || String(record[property]) === String(id)) return [];
  return [
    {
      law: 'path-id',
      received: `${property} ${shorten(record[property])}`,
      documented: `${property} ${shorten(id)}, as in the path`,
      at: placeOf(resource.id?.because ?? resource.shape.spot),
    },
  ];
}

/** A body with a mark of its own is in the list once; a second record of it was made on the way. */
export function judgeOnce(
  resource: Resource,
  { mark, sent, operation }: { mark: string | undefined; sent: Data; operation: Operation },
  records: readonly Data[],
): Breach[] {
  const marked = Object.keys(sent).find(
    (name) => typeof sent[name] === 'string' && mark && `${sent[name]}`.includes(mark),
  );
  const property = resource.id?.property;
  if (marked === undefined || property === undefined) return [];
  const about = records.filter((record) => record[marked] === sent[marked]);
  const ids = about.map((record) => String(record[property]));
  if (new Set(ids).size < 2) return [];
  const received = `the records ${ids.join(', ')}, all with ${marked} ${shorten(sent[marked])}`;
  const documented = 'one record for one create';
  return [{ law: 'created-once', received, documented, at: placeOf(operation.spot), about }];
}

/** Ids given out twice; the records are those of a list that shows them, where there is one. */
export function judgeDistinct(
  resource: Resource,
  ids: readonly unknown[],
  records: readonly Data[] = [],
): Breach[] {
  const texts = ids.map(String);
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  if (twice === undefined) return [];
  const about = records.filter((record) => String(record[resource.id?.property ?? '']) === twice);
  return [
    {
      law: 'distinct-ids',
      received: `${resource.id?.property} ${twice} twice`,
      documented: 'another id for each record',
      at: placeOf(resource.id?.shape.spot ?? resource.shape.spot),
      ...(about.length > 0 && { about }),
    },
  ];
}

/**
 * What the list says of a record is what the record itself says, in every documented member. A list may show
 * less of a record than the record does, unless both have one schema. Undocumented members may differ.
 */
export function judgeAgreement(
  resource: Resource,
  listed: Record<string, unknown>,
  read: Record<string, unknown>,
): Breach[] {
  const shown = answerShape(resource.actions.list);
  const same = shown?.items?.spot.value === resource.shape.spot.value;
  const names = [...new Set([...Object.keys(listed), ...Object.keys(read)])];
  const name = names.find(
    (one) =>
      memberShape(resource.shape, one) &&
      !equalJson(listed[one], read[one]) &&
      (same || (one in listed && one in read)),
  );
  const member = name === undefined ? undefined : memberShape(resource.shape, name);
  if (name === undefined || !member) return [];
  return [
    {
      law: 'list-and-read-agree',
      received: `${name} ${shorten(listed[name])} in the list, ${shorten(read[name])} by id`,
      documented: 'one record, the same in both',
      at: placeOf(member.spot),
      about: [listed],
    },
  ];
}
