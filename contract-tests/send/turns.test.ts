import { expect, onTestFinished, test } from 'vitest';
import { WireError } from './client.ts';
import { createTurns, type Turns } from './turns.ts';
import type { WireRequest, WireResponse } from './wire.ts';

const request = (method: string, faulty?: string): WireRequest => ({
  method,
  url: new URL('http://127.0.0.1:1/pets'),
  headers: [],
  body: undefined,
  chunked: false,
  faulty,
});
const FAULTY = request('POST', 'createPet');
const answer = (status: number): WireResponse => ({
  status,
  headers: [],
  body: new Uint8Array(),
  cut: false,
  ms: 1,
});

/** Requests that are under way until they are answered, by name in the order in which they were sent. */
function wireOf(turns: Turns) {
  const underWay = new Map<string, (outcome: WireResponse | WireError) => void>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    async send(name: string, one: WireRequest) {
      const outcome = turns.take(
        one,
        () =>
          new Promise((resolve, reject) => {
            underWay.set(name, (given) => (given instanceof WireError ? reject(given) : resolve(given)));
          }),
      );
      outcome.catch(() => undefined);
      await settle();
    },
    async end(name: string, outcome: WireResponse | WireError) {
      underWay.get(name)?.(outcome);
      underWay.delete(name);
      await settle();
    },
    underWay: () => [...underWay.keys()],
  };
}

function opened(hold = 10_000) {
  const turns = createTurns(hold);
  onTestFinished(turns.close);
  return { turns, wire: wireOf(turns) };
}

test('unsafe requests have their turn one after another, and safe ones go at once', async () => {
  const { wire } = opened();
  await wire.send('first', request('POST'));
  await wire.send('second', request('DELETE'));
  await wire.send('read', request('GET'));
  await wire.send('acting read', { ...request('GET'), changes: true });
  expect(wire.underWay()).toEqual(['first', 'read']);
  await wire.end('first', answer(201));
  expect(wire.underWay()).toEqual(['read', 'second']);
  await wire.end('second', answer(500));
  expect(wire.underWay()).toEqual(['read', 'acting read']);
});

test('what must be refused goes beside others where such requests were refused, until one is accepted', async () => {
  const { wire } = opened();
  await wire.send('first', FAULTY);
  await wire.send('second', FAULTY);
  await wire.send('of another operation', request('POST', 'updatePet'));
  expect(wire.underWay()).toEqual(['first']);
  await wire.end('first', answer(400));
  // Its turn came, and what came before has shown that it is refused; nothing was refused yet by the other operation.
  expect(wire.underWay()).toEqual(['second', 'of another operation']);
  await wire.send('write', request('POST'));
  await wire.send('third', FAULTY);
  expect(wire.underWay()).toEqual(['second', 'of another operation', 'third']);
  await wire.end('third', answer(201));
  await wire.end('of another operation', answer(422));
  // One that goes beside others may be accepted as well from now on.
  expect(wire.underWay()).toEqual(['second']);
  await wire.end('second', answer(400));
  expect(wire.underWay()).toEqual(['write']);
  await wire.send('fourth', FAULTY);
  expect(wire.underWay()).toEqual(['write']);
});

test.for([
  ['a limit on requests', answer(429)],
  ['an error', answer(500)],
  ['no response', new WireError('reset', false)],
] as const)('%s: nothing is known of others', async ([, outcome]) => {
  const { wire } = opened();
  await wire.send('first', FAULTY);
  await wire.end('first', outcome);
  await wire.send('second', FAULTY);
  await wire.send('third', FAULTY);
  expect(wire.underWay()).toEqual(['second']);
});

test.for([
  ['was not answered in time', new WireError('late', false, { timedOut: true })],
  ['a gateway no longer waited for', answer(504)],
] as const)('a request that %s counts as under way', async ([, outcome]) => {
  const { turns, wire } = opened(50);
  await wire.send('first', request('POST'));
  await wire.send('second', request('POST'));
  await wire.end('first', outcome);
  expect(wire.underWay()).toEqual([]);
  expect(await turns.rest(0)).toBe(false);
  await expect.poll(wire.underWay).toEqual(['second']);
});
