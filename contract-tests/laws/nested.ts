import { placeOf, type Resource } from '#spec';
import { shorten } from './compare-records.ts';
import { type Evidence, recordOf } from './evidence.ts';
import type { Law } from './law.ts';
import { isMarked } from './mark.ts';
import { type OwnRecord, parentsOf } from './own-record.ts';
import { isUnlikely } from './read-only.ts';

type Data = Readonly<Record<string, unknown>>;

/** What the run has made below one of its own records is not below another of them. */
const apartByParent: Law = {
  name: 'apart-by-parent',
  settles: 'request',
  applies: ({ role, succeeded }) => succeeded && (role?.resource.parents.length ?? 0) > 0,
  judge(evidence) {
    const { role, exchange, page } = evidence;
    const resource = role?.resource;
    if (!resource || role.action === 'create') return [];
    const parents = parentsOf(resource, exchange.input.path);
    const record = recordOf(evidence);
    for (const shown of page?.records ?? (record ? [record] : [])) {
      const own = strangerIn(evidence, resource, parents, shown);
      if (!own) continue;
      const at = placeOf(exchange.operation.spot);
      const received = `${shorten(shown)} below ${shorten(parents)}`;
      const documented = `it below ${shorten(own.parents)} only, where it was made`;
      return [{ law: 'apart-by-parent', received, documented, at, about: [shown] }];
    }
    return [];
  },
};

/** The record of the run that is shown, if it was made below another parent; both parents are the run's own. */
function strangerIn(
  { model }: Evidence,
  resource: Resource,
  parents: Data,
  shown: Data,
): OwnRecord | undefined {
  const same = model.records.filter((own) => own.resource === resource && isShown(own, shown));
  const differs = (own: OwnRecord) =>
    Object.keys(parents).filter((name) => parents[name] !== own.parents[name]);
  if (same.some((own) => differs(own).length === 0)) return undefined;
  const isOwn = (id: unknown) =>
    model.records.some((one) => one.resource !== resource && String(one.id) === id);
  return same.find((own) => differs(own).every((name) => isOwn(parents[name]) && isOwn(own.parents[name])));
}

/** Told by the run's mark, else by an id that no two records have by chance. */
function isShown({ resource, id, sent }: OwnRecord, shown: Data): boolean {
  const mark = Object.entries(sent).find(([, value]) => isMarked(value));
  if (mark) return shown[mark[0]] === mark[1];
  return isUnlikely(id) && shown[resource.id?.property ?? ''] === id;
}

export const NESTED_LAWS: readonly Law[] = [apartByParent];
