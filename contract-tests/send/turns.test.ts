import { expect, onTestFinished, test } from 'vitest';
import { WireError } from './client.ts';
import { createTurns, type Turns } from './turns.ts';
import type { Fault, WireRequest, WireResponse } from './wire.ts';

const request = (method: string, ...faults: Fault[]): WireRequest => ({
  method,
  url: new URL('http://127.0.0.1:1/pets'),
  headers: [],
  body: undefined,
  chunked: false,
  ...(faults.length > 0 && { faulty: { operation: 'createPet', faults } }),
});
const fault = (place: string, kind = 'number schema type'): Fault => ({ place, kind });
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

test('what is known to be refused goes beside others, until one is accepted', async () => {
  const { wire } = opened();
  await wire.send('name', request('POST', fault('/name')));
  await wire.send('again', request('POST', fault('/name')));
  await wire.send('other place', request('POST', fault('/size')));
  expect(wire.underWay()).toEqual(['name']);
  await wire.end('name', answer(400));
  // Its turn came, and what came before has shown that it is refused; nothing was refused yet for the size.
  expect(wire.underWay()).toEqual(['again', 'other place']);
  await wire.send('write', request('POST'));
  await wire.send('third', request('POST', fault('/name')));
  expect(wire.underWay()).toEqual(['again', 'other place', 'third']);
  await wire.end('third', answer(201));
  await wire.end('other place', answer(422));
  // One that goes beside others may be accepted as well from now on.
  expect(wire.underWay()).toEqual(['again']);
  await wire.end('again', answer(400));
  expect(wire.underWay()).toEqual(['write']);
  await wire.send('fourth', request('POST', fault('/name')));
  expect(wire.underWay()).toEqual(['write']);
});

test.for([
  ['two faults', [fault('/name'), fault('/size')], answer(400)],
  ['a limit on requests', [fault('/name')], answer(429)],
  ['an error', [fault('/name')], answer(500)],
  ['no response', [fault('/name')], new WireError('reset', false)],
] as const)('%s: nothing is known of one fault', async ([, faults, outcome]) => {
  const { wire } = opened();
  await wire.send('first', request('POST', ...faults));
  await wire.end('first', outcome);
  await wire.send('second', request('POST', fault('/name')));
  await wire.send('third', request('POST', fault('/name')));
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
