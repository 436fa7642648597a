import type { Operation } from '#spec';
import { roleOf } from '../operation-role.ts';
import { SAFE_METHODS } from '../send/patience.ts';
import type { Trial } from '../trial.ts';
import { makeBody } from './body.ts';
import { createRecord } from './create.ts';
import type { Ask } from './plan.ts';

/**
 * A request that the document gives the service no reason to refuse. An unsafe operation on one record gets a
 * record that this run has created: nobody else's is ever changed or removed.
 * @param spent false: the request will be refused, so one record serves all such requests
 */
export async function ordinaryAsk(trial: Trial, operation: Operation, spent = true): Promise<Ask> {
  const { run } = trial;
  const role = roleOf(run.contract, operation);
  const own: Record<string, unknown> = {};
  const parameter = role?.resource.id?.parameter;
  if (role && parameter && role.action !== 'create' && !SAFE_METHODS.has(operation.method)) {
    own[parameter] = spent
      ? (await createRecord(trial, role.resource)).id
      : await run.world.ownId(trial, role.resource);
  }
  const path = { ...(await run.world.pathOf(trial, operation, own)), ...own };
  const query = run.world.queryOf(trial, operation);
  if (!operation.body) return { path, query };
  return { path, query, body: await makeBody(trial, operation, { mark: run.marks.next() }) };
}

/**
 * A request with the form of an ordinary one that touches no record: for what must be refused before anything
 * is looked up. Path values are made up, and no other request is needed to make it.
 */
export async function detachedAsk(trial: Trial, operation: Operation): Promise<Ask> {
  const query = trial.run.world.queryOf(trial, operation);
  const path = trial.run.world.madeUpPath(operation);
  if (!operation.body) return { path, query };
  return { path, query, body: await makeBody(trial, operation, { mark: trial.run.marks.next() }) };
}
