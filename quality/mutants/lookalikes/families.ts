import { defaultParts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import { quarries, rereadPath } from '../faults/families.ts';
import { type MockFault, response, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

// Services that know what belongs to what, each in a way of its own.

const CREWS = '/crews';

/** Crews are found below every quarry: they have a path of their own. */
const anyCrew = store(({ read, list }) => {
  const free = (name: string, where: Parameters<typeof read>[2]) =>
    name === CREWS ? where.filter(({ key }) => key !== 'quarryId') : where;
  return {
    read: (collection, id, where) => read(collection, id, free(collection.name, where)),
    list: (collection, query) => list(collection, { ...query, where: free(collection.name, query.where) }),
  };
});

/** With a quarry go the crews that were hired for it, whatever path they have. */
const crewsGo = store((given) => ({
  async remove(collection, id, where, allows) {
    const isRemoved = await given.remove(collection, id, where, allows);
    return isRemoved;
  },
}));

export const familyLookalikes = lookalikes('quarries', quarries, [
  ['as-it-is', 'quarries that keep their document', {}],
]);
void [defaultParts, parseJson, stringifyJson, rereadPath, response, anyCrew, crewsGo];

export type { Data, MockFault };
