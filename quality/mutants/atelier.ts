import { fileURLToPath } from 'node:url';
import { defaultParts } from '#mock';
import { parseJson } from '#spec';
import { inEach, type MockFault, mockOfFixture, responseBody, store } from './mock-faults.ts';
import type { Data } from './record-changes.ts';
import type { Service } from './suspect.ts';

const SEEDS = fileURLToPath(new URL('../../fixtures/strangers/atelier-glazes.yaml', import.meta.url));

/**
 * The mock of a document that leaves much to its services, with so many jobs. It keeps no records behind a JSON Patch and
 * workers, so that unknown ids are refused here.
 */
export function atelierOf(count: number): Service<MockFault> {
  const mock = mockOfFixture('strangers/atelier.yaml', { count, fixtures: [SEEDS] });
  const start: typeof mock.start = (fault) => {
    const { store = defaultParts.store, authenticate = defaultParts.authenticate } = fault;
    let isThere = (_: string) => true;
    return mock.start({
      ...fault,
      async store(collections) {
        const all = await store(collections);
        const [jobs] = collections.filter(({ name }) => name === '/jobs');
        if (jobs) isThere = (id) => all.read(jobs, id, []) !== undefined;
        return all;
      },
      authenticate(operation, keys) {
        const guard = authenticate(operation, keys);
        if (!['patchJob', 'assignWorker'].includes(operation.id)) return guard;
        return (request) => {
          const [id = ''] = /(?<=\/jobs\/)[^/]+/.exec(request.path) ?? [];
          return isThere(decodeURIComponent(id))
            ? guard(request)
            : { refuse: 'not found', message: 'no such job' };
        };
      },
    });
  };
  return { ...mock, start };
}

export const atelier = atelierOf(3);

/** What is kept of what is sent; `before`: of the record that it replaces. */
export const kept = (change: (sent: Data, before?: Data) => unknown): MockFault =>
  store((all) => ({
    create: (collection, given) =>
      all.create(collection, { ...given, members: change({ ...given.members }) as Data }),
    change: (collection, id, where, edit, allows) => {
      const changed = (text: string) => {
        const given = edit(text);
        return { ...given, members: change({ ...given.members }, parseJson(text) as Data) as Data };
      };
      return all.change(collection, id, where, changed, allows);
    },
  }));

/** Records are shown in another way. */
export const shown = (change: (record: Data) => unknown): MockFault =>
  inEach(['list', 'create', 'read', 'replace'], (name) =>
    responseBody(name, (body) => (Array.isArray(body) ? body.map(change) : change(body))),
  );
