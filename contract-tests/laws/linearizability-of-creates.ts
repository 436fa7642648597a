import { placeOf, type Resource } from '#spec';
import type { Breach, Law } from './law.ts';

/** Judged over creates at once, and so by no single exchange. */
export const idsApart: Law = {
  name: 'distinct-ids',
  about: 'sequence',
  applies: () => false,
  judge: () => [],
};

/**
 * Records that are created at once exist at one time, so that no id may be assigned twice.
 * @param known ids that the run has seen before; where records are removed, an id may be assigned again
 */
export function judgeIds(
  { id: identity, actions }: Resource,
  ids: readonly unknown[],
  known: ReadonlySet<string>,
): Breach[] {
  const texts = ids.map(String);
  const isKnown = (id: string) => !actions.remove && known.has(id);
  const twice = texts.find((id, index) => texts.indexOf(id) !== index || isKnown(id));
  if (!identity || twice === undefined) return [];
  const whose = isKnown(twice) ? 'an earlier record and one' : 'two';
  const received = `${identity.property} ${twice} for ${whose} of ${ids.length} that were created at once`;
  const documented = 'another id for each record';
  return [{ law: 'distinct-ids', received, documented, at: placeOf(identity.shape.spot) }];
}
