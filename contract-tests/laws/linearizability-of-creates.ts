import { placeOf, type Resource } from '#spec';
import type { Breach, Law } from './law.ts';

/** Judged over creates at once, and so by no single exchange. */
export const idsApart: Law = {
  name: 'distinct-ids',
  about: 'sequence',
  applies: () => false,
  judge: () => [],
};

/** Records that are created at once exist at one time, so that no id may be assigned twice. */
export function judgeIds({ id: identity }: Resource, ids: readonly unknown[]): Breach[] {
  const texts = ids.map(String);
  const twice = texts.find((id, index) => texts.indexOf(id) !== index);
  if (!identity || twice === undefined) return [];
  const received = `${identity.property} ${twice} for two of ${ids.length} that were created at once`;
  const documented = 'another id for each record';
  return [{ law: 'distinct-ids', received, documented, at: placeOf(identity.shape.spot) }];
}
