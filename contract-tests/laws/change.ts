import { isRecord, memberShape, placeOf, type Resource, type Shape, type Spot } from '#spec';
import type { Breach, Law } from './law.ts';
import { equalJson } from './record.ts';
import { shorten } from './shorten.ts';

type Data = Record<string, unknown>;

/** Members that a replacing body leaves out do not keep their old value (RFC 9110 §9.3.4). */
export function judgeForgotten(resource: Resource, before: Data, sent: Data, after: Data): Breach[] {
  return documented(resource, before, after).flatMap(([name, member]) => {
    const kept = before[name] !== undefined && before[name] !== null && equalJson(before[name], after[name]);
    if (name in sent || member.readOnly || !kept || member.find('default')) return [];
    return [
      {
        law: 'replaced-is-replaced' as const,
        received: `${name} ${shorten(after[name])}, as before`,
        documented: `nothing of the record that was replaced by ${shorten(sent)}`,
        at: placeOf(member.spot),
      },
    ];
  });
}

/** Every documented member, but for those named, is what it was. Members that the service keeps itself may move. */
export function judgeUnchanged(
  law: Law,
  resource: Resource,
  before: Data,
  after: unknown,
  spot: Spot,
  but: readonly string[] = [],
): Breach[] {
  if (!isRecord(after)) return [];
  return documented(resource, before, after).flatMap(([name, member]) => {
    if (but.includes(name) || member.readOnly || member.writeOnly || equalJson(before[name], after[name]))
      return [];
    return [
      {
        law,
        received: `${name} ${shorten(after[name])}`,
        documented: `${name} ${shorten(before[name])}, as before`,
        at: placeOf(spot),
      },
    ];
  });
}

/** The members of either record that the document knows, in whatever form of the record. */
function documented({ shape }: Resource, before: Data, after: Data): [name: string, member: Shape][] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const member = memberShape(shape, name);
    return member ? [[name, member] as [string, Shape]] : [];
  });
}
