import { fileURLToPath } from 'node:url';
import { BUILT_IN_KEY, createMock, defaultParts, type MockOptions, type Parts } from '#mock';
import type { CheckOptions } from '../check-options.ts';
import type { LawName as Law } from '../laws/law.ts';
import type { Lookalike, Mutant } from './suspect.ts';

/** Documents of other services, by their names among the fixtures. */
export type OtherDocument = 'warehouse.yaml' | 'libraries.yaml' | 'tide-gauges.yaml' | 'notices/openapi.yaml';

type Actions = Parts['actions'];
type Act = NonNullable<ReturnType<Actions['list']>>;
type Store = Awaited<ReturnType<Parts['store']>>;

/** A mutant of the mock: some of its named parts are others. Each start makes them anew. */
export function faultyMock(
  document: OtherDocument,
  name: string,
  says: string,
  breaks: Law | readonly Law[],
  makeParts: () => Partial<Parts>,
  options: Partial<CheckOptions> = {},
): Mutant {
  const suspect = mockSuspect(document, name, says, () => ({ parts: makeParts() }), options);
  return { ...suspect, breaks: [breaks].flat(), exitCode: 1 };
}

/** A mutant of the libraries, where only the cases of books are asked: these have every method. */
export function faultyLibrary(
  name: string,
  says: string,
  breaks: Law | readonly Law[],
  makeParts: () => Partial<Parts>,
): Mutant {
  return faultyMock('libraries.yaml', name, says, breaks, makeParts, { only: 'Book' });
}

export function otherMock(
  document: OtherDocument,
  name: string,
  says: string,
  makeOptions: () => Partial<MockOptions> = () => ({}),
): Lookalike {
  return mockSuspect(document, name, says, makeOptions, {});
}

function mockSuspect(
  name: OtherDocument,
  title: string,
  says: string,
  makeOptions: () => Partial<MockOptions>,
  options: Partial<CheckOptions>,
): Lookalike {
  const document = fileURLToPath(new URL(`../../fixtures/specs/${name}`, import.meta.url));
  return {
    name: `${name.replace(/[./].*/, '')}-${title}`,
    says,
    document,
    async start() {
      // Faults throw now and then: that is their affair, and no bug of the mock.
      const mock = await createMock({ document, onBug: () => {}, ...makeOptions() });
      return { url: mock.url, apiKey: BUILT_IN_KEY, close: () => mock.close() };
    },
    options,
  };
}

/** An action with another one around it. */
export function around(
  name: keyof Actions,
  change: (act: Act, context: Parameters<Actions['list']>[0]) => Act,
): Pick<Parts, 'actions'> {
  const compile = defaultParts.actions[name];
  return {
    actions: {
      ...defaultParts.actions,
      [name]: (context: Parameters<Actions['list']>[0]) => {
        const act = compile(context);
        return act && change(act, context);
      },
    },
  };
}

/** The store with some of its work done otherwise. */
export function storing(change: (store: Store) => Partial<Store>): Pick<Parts, 'store'> {
  return {
    async store(collections) {
      const store = await defaultParts.store(collections);
      return { ...store, ...change(store) };
    },
  };
}

/** Operations of these methods let everybody in. */
export function open(...methods: string[]): Pick<Parts, 'authenticate'> {
  return {
    authenticate: (operation, keys) =>
      methods.includes(operation.method) ? () => undefined : defaultParts.authenticate(operation, keys),
  };
}

/** Operations of these methods overlook what is wrong with a request. */
export function overlooking(...methods: string[]): Pick<Parts, 'read'> {
  return {
    read(operation, validators) {
      const read = defaultParts.read(operation, validators);
      return methods.includes(operation.method) ? (raw) => ({ ...read(raw), violations: [] }) : read;
    },
  };
}

/** Operations of a method are refused without a key, and carried out all the same. */
export function doneUnauthorised(method: string, action: keyof Actions): Partial<Parts> {
  return {
    ...open(method),
    ...around(action, (act) => async (task) => {
      const answer = await act(task);
      return isStranger(task.request.headers) ? { refuse: 'unauthorized', message: 'no key' } : answer;
    }),
  };
}

/** Whether a request bears no credential at all. */
function isStranger(headers: Readonly<Record<string, unknown>>): boolean {
  return headers.authorization === undefined;
}
