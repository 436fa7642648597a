import { acknowledge, action, type MockFault, mockOf, store } from '../mock-faults.ts';
import { lookalikes } from '../suspect.ts';

/** An operation of this name responds as if it had done what it does, and changes nothing. */
const later = (name: 'update' | 'replace'): MockFault =>
  action(
    name,
    (act) => (task) => act({ ...task, store: { ...task.store, change: acknowledge(task.store) } }),
  );

/** A list operation of this id shows a part of what it could. */
const partly = (id: string, most: number): MockFault =>
  action('list', (act, { operation }) => (task) => {
    if (operation.id !== id) return act(task);
    const { store } = task;
    return act({
      ...task,
      store: { ...store, list: (collection, query) => store.list(collection, { ...query, limit: most }) },
    });
  });

const unlisted = store(({ list }) => ({
  list: (collection, query) =>
    list(collection, collection.name === '/animals' ? { ...query, limit: Math.min(query.limit, 20) } : query),
}));

/** What is inferred across paths is promised by no document: services may do otherwise. */
export const shelterLookalikes = lookalikes('shelter', mockOf('shelter.yaml'), [
  ['short-view', 'a view shows three animals at most', partly('findAnimals', 3)],
  ['empty-view', 'a view shows nothing yet', partly('listAnimalsOfKeeper', 0)],
  ['updated-later', 'a POST on an animal takes effect later', later('update')],
  ['replaced-later', 'a PUT without an id in its path takes effect later', later('replace')],
  ['unlisted', 'new animals are in no view', unlisted],
]);
