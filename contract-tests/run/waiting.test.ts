import { expect, onTestFinished, test } from 'vitest';
import type { PatientClient } from '../send/patience.ts';
import { resolveSettings } from '../settings/settings.ts';
import { contractWith } from '../testing/steps.ts';
import { NotProvoked } from './not-reached.ts';
import { makePlan, openRun } from './run.ts';
import { Trial } from './trial.ts';

/** Who is held up is let through all the same after 10 s. */
const AT_ONCE = { timeout: 9000 };

/*
 * What the cases of a run wait for: to be alone, and for work that they share. If such waits form a circle, nothing
 * moves on.
 */

/** Cases of one run, each with connections of its own; every list is empty. */
async function casesOf(number: number) {
  const fetch = async () => new Response('[]', { headers: { 'Content-Type': 'application/json' } });
  const contract = contractWith('listPets');
  const given = { target: 'http://127.0.0.1:1/v1', document: '', fetch };
  const run = openRun(makePlan(contract, resolveSettings(given)));
  const [operation, other] = contract.operations;
  if (!operation || !other) throw new Error('the document lacks operations');
  const over = Promise.withResolvers<void>();
  onTestFinished(() => over.resolve());
  const trials = Array.from({ length: number }, async (_, order) => {
    const client = await new Promise<PatientClient>((resolve) => {
      run.session.connections.use((own) => {
        resolve(own);
        return over.promise;
      });
    });
    return new Trial(run, { id: `case ${order}`, operation, status: 200 }, { place: [order], client });
  });
  const list = (trial: Trial) => trial.send(operation, {});
  return { run, trials: await Promise.all(trials), list, operation, other };
}

test('who is alone and waits for work that another case has begun lets that through', AT_ONCE, async () => {
  const { run, trials, list, operation } = await casesOf(2);
  const [first, second] = trials as [Trial, Trial];
  const begin = Promise.withResolvers<void>();
  const work = async (shared: Trial) => {
    await begin.promise;
    return (await list(shared)).response;
  };
  const shared = first.share(run.session.cache.linked, operation, work);
  const turn = second.client.alone(() => {
    begin.resolve();
    return second.share(run.session.cache.linked, operation, work);
  });
  expect(await turn).toBe(await shared);
});

test('shared work whose part would wait for what waits for it goes on without', AT_ONCE, async () => {
  const { run, trials, operation, other } = await casesOf(2);
  const [first, second] = trials as [Trial, Trial];
  const never = () => Promise.reject(new Error('it has begun already'));
  const one = first.share(run.session.cache.linked, operation, async (shared) => {
    await shared.together([(part) => part.share(run.session.cache.linked, other, never)]);
    return (await shared.send(operation, {})).response;
  });
  const two = second.share(run.session.cache.linked, other, async (shared) => {
    await shared.together([(part) => part.share(run.session.cache.linked, operation, never)]);
    return (await shared.send(operation, {})).response;
  });
  const reasons = (await Promise.allSettled([one, two])).map((ended) => 'reason' in ended && ended.reason);
  expect(reasons).toEqual([expect.any(NotProvoked), expect.any(NotProvoked)]);
});
