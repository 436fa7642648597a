import { effectOf, type Resource, type Transition, transitionsOf } from '#spec';
import { readById } from '../arrange/requests.ts';
import { anyBody, createRecord, pathTo } from '../arrange/target.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import type { Expectation } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import type { Data } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** Which other conditions there are nobody says. */
const ALONE = { quiet: true, demands: false, creates: 1 };

/** What an action sets is read afterwards. */
export const acted: Family = ({ resources }, settings) =>
  resources.flatMap((resource) => {
    const { create, read } = resource.actions;
    if (!settings.writes || !create || !read || resource.id?.parameter === undefined) return [];
    const moves = new Set(transitionsOf(resource).map(({ operation }) => operation));
    return resource.further.flatMap(({ role, operation, parameter }): Case[] => {
      const [status] = successStatuses(operation);
      const sets =
        role === 'action' && !moves.has(operation) ? effectOf(operation, resource)?.sets : undefined;
      if (!sets || parameter === undefined || status === undefined) return [];
      const title = `what ${operation.id} sets is read`;
      const drive = async (trial: Trial) => {
        const { id, input } = await createRecord(trial, resource);
        const body = await anyBody(trial, operation, { mark: trial.marks.next() });
        const path = { ...input.path, ...(await pathTo(trial, resource, operation, id)) };
        const { response } = await trial.send(operation, { path, body });
        if (isSuccess(response)) await readById(trial, resource, id);
      };
      return [makeCase({ operation, status }, 'is-read', title, drive, ALONE)];
    });
  });

/** From each state the operations that it allows lead to the documented one; the others are refused, and change nothing. */
export const states: Family = ({ resources }, settings) =>
  resources.flatMap((resource) => {
    const { create, read } = resource.actions;
    if (!settings.writes || !create || !read || resource.id?.parameter === undefined) return [];
    const all = transitionsOf(resource);
    return all.flatMap((one) => [
      ...one.from.map((state) => tried(resource, all, one, state, successStatuses(one.operation)[0])),
      ...(one.refusal === undefined ? [] : one.others).map((state) =>
        tried(resource, all, one, state, one.refusal),
      ),
    ]);
  });

function tried(
  resource: Resource,
  all: readonly Transition[],
  one: Transition,
  state: string,
  status = 200,
): Case {
  const { operation, property } = one;
  const verb = status < 400 ? 'is allowed' : 'is refused, and changes nothing,';
  const title = `${operation.id} ${verb} where ${property} is ${state}`;
  const drive = async (trial: Trial) => {
    const { id, path } = await inState(trial, resource, all, property, state);
    await readById(trial, resource, id);
    await move(trial, resource, one, id, path, { status, rests: [one] });
    await readById(trial, resource, id);
  };
  return makeCase({ operation, status }, `from-${slugOf(state)}`, title, drive, ALONE);
}

/** A new record, brought to a state by the shortest way. @throws NotProvoked where none leads there */
async function inState(
  trial: Trial,
  resource: Resource,
  all: readonly Transition[],
  property: string,
  state: string,
): Promise<{ id: unknown; path: Data }> {
  const { id, record, input } = await createRecord(trial, resource);
  const path = input.path ?? {};
  const ways: (readonly Transition[])[] = [[]];
  const seen = new Set([record[property]]);
  for (const way of ways) {
    const here = way.at(-1)?.to ?? record[property];
    if (here === state) {
      for (const step of way) await move(trial, resource, step, id, path);
      return { id, path };
    }
    for (const step of all) {
      if (step.to === undefined || seen.has(step.to) || !step.from.includes(String(here))) continue;
      seen.add(step.to);
      ways.push([...way, step]);
    }
  }
  throw new NotProvoked(`nothing is known to lead to ${property} ${state}`);
}

async function move(
  trial: Trial,
  resource: Resource,
  { operation, to }: Transition,
  id: unknown,
  path: Data,
  expected?: Expectation,
): Promise<void> {
  const body = await anyBody(trial, operation, { mark: trial.marks.next() });
  const { response } = await trial.send(operation, {
    path: { ...path, ...(await pathTo(trial, resource, operation, id)) },
    body,
    ...(expected && { expected }),
  });
  if (!expected && !isSuccess(response)) throw new NotProvoked(`nothing is known to lead to ${to}`);
}
