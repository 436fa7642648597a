import { placeOf, type Resource } from '#spec';
import { shorten } from './compare-records.ts';
import { type Evidence, recordOf } from './evidence.ts';
import type { Law } from './law.ts';
import { parentsOf } from './own-record.ts';

type Data = Readonly<Record<string, unknown>>;

const refusedLeavesNothing: Law = {
  name: 'refused-leaves-nothing',
  applies: (evidence) => shownRecords(evidence).length > 0,
  judge(evidence) {
    const { role, model } = evidence;
    const create = role?.resource.actions.create;
    const left = shownRecords(evidence).find((record) =>
      Object.values(record).some((text) => role && model.wasRefused(role.resource, text)),
    );
    if (!left || !create) return [];
    const received = `${shorten(left)}, which a refused request was to create`;
    const documented = 'no record of a refused request';
    return [{ law: 'refused-leaves-nothing', received, documented, at: placeOf(create.spot), about: [left] }];
  },
};

/** A text of the run's own tells how many records may have it: as many as there were create requests with it. */
const createdOnce: Law = {
  name: 'created-once',
  applies: (evidence) => shownRecords(evidence).length > 0,
  judge(evidence) {
    const { role, model } = evidence;
    const property = role?.resource.id?.property;
    const create = role?.resource.actions.create;
    if (!role || property === undefined || !create) return [];
    for (const [name, text, records] of byMarkedText(evidence, role.resource)) {
      const { sent, ids } = model.createsOf(role.resource, text) ?? { sent: 0, ids: new Set<string>() };
      // A record without its id, as in a map by id, may be any of them.
      const shown = records.flatMap((record) => (property in record ? [String(record[property])] : []));
      const all = new Set([...ids, ...shown]);
      if (all.size <= sent) continue;
      const received = `the records ${[...all].join(', ')}, all with ${name} ${shorten(text)}`;
      const at = placeOf(create.spot);
      return [{ law: 'created-once', received, documented: 'one record for one create', at, about: records }];
    }
    return [];
  },
};

function byMarkedText(
  evidence: Evidence,
  resource: Resource,
): [name: string, text: unknown, records: Data[]][] {
  const found = new Map<unknown, [name: string, text: unknown, records: Data[]]>();
  for (const record of shownRecords(evidence)) {
    const marked = Object.entries(record).find(([, value]) => evidence.model.createsOf(resource, value));
    if (!marked) continue;
    const entry = found.get(marked[1]) ?? [...marked, []];
    entry[2].push(record);
    found.set(marked[1], entry);
  }
  return [...found.values()];
}

function shownRecords(evidence: Evidence): readonly Data[] {
  const { page, model, exchange } = evidence;
  if (page) {
    const parents = parentsOf(page.resource, exchange.input.path);
    return page.records.filter((record) => !model.isOfOthers(page.resource, record, parents));
  }
  const record = evidence.succeeded && evidence.role?.action === 'read' ? recordOf(evidence) : undefined;
  return record ? [record] : [];
}

/** What a list or a read shows of the texts that only the run's own creates have sent. */
export const MARKED_RECORD_LAWS: readonly Law[] = [refusedLeavesNothing, createdOnce];
