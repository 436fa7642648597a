import { effectOf, type Operation, type Resource, type Transition, transitionsOf } from '#spec';
import type { Creation } from '../arrange/creation.ts';
import { readById } from '../arrange/requests.ts';
import { anyBody, createRecord, pathTo } from '../arrange/target.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import type { Expectation } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** The document does not state whether there are other conditions. */
const ALONE = { quiet: true, demands: false, creates: 1 };

/** The effect of an action is read afterwards. */
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
        const made = await createRecord(trial, resource);
        const { response } = await act(trial, resource, operation, made);
        if (isSuccess(response)) await readById(trial, resource, made.id);
      };
      return [makeCase({ operation, status }, 'is-read', title, drive, ALONE)];
    });
  });

async function act(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  { id, input }: Creation,
  expected?: Expectation,
): Promise<Judged> {
  const body = await anyBody(trial, operation, { mark: trial.marks.next() });
  const path = { ...input.path, ...(await pathTo(trial, resource, operation, id)) };
  return trial.send(operation, { path, body, ...(expected && { expected }) });
}

/** From each state, the allowed operations lead to the documented state; the others are rejected and change nothing. */
export const states: Family = ({ resources }, settings) =>
  resources.flatMap((resource) => {
    const { create, read } = resource.actions;
    if (!settings.writes || !create || !read || resource.id?.parameter === undefined) return [];
    return transitionsOf(resource).flatMap((transition) => {
      const refused = transition.refusal === undefined ? [] : transition.others;
      return [
        ...transition.from.map((state) =>
          tried(resource, transition, state, successStatuses(transition.operation)[0]),
        ),
        ...refused.map((state) => tried(resource, transition, state, transition.refusal)),
      ];
    });
  });

function tried(resource: Resource, transition: Transition, state: string, status = 200): Case {
  const { operation, property } = transition;
  const verb = status < 400 ? 'is allowed' : 'is refused, and changes nothing,';
  const title = `${operation.id} ${verb} where ${property} is ${state}`;
  const drive = async (trial: Trial) => {
    const made = await inState(trial, resource, property, state);
    await readById(trial, resource, made.id);
    await move(trial, resource, transition, made, { status, rests: [transition] });
    await readById(trial, resource, made.id);
  };
  return makeCase({ operation, status }, `from-${slugOf(state)}`, title, drive, ALONE);
}

/**
 * Creates a record, and brings it to a state on the shortest way.
 * @throws NotProvoked if no way leads there
 */
async function inState(trial: Trial, resource: Resource, property: string, state: string): Promise<Creation> {
  const made = await createRecord(trial, resource);
  const ways: (readonly Transition[])[] = [[]];
  const seen = new Set([made.record[property]]);
  for (const way of ways) {
    const here = way.at(-1)?.to ?? made.record[property];
    if (here === state) {
      for (const step of way) await move(trial, resource, step, made);
      return made;
    }
    for (const step of transitionsOf(resource)) {
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
  made: Creation,
  expected?: Expectation,
): Promise<void> {
  const { response } = await act(trial, resource, operation, made, expected);
  if (!expected && !isSuccess(response)) throw new NotProvoked(`nothing is known to lead to ${to}`);
}
