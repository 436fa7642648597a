import type { Action, Contract, Operation, RequestReader, Resource } from '#spec';
import type { Parts } from '../parts.ts';
import type { SeedValues } from '../seed/values.ts';
import type { Act, ActionName } from './actions/action.ts';
import { compileSample } from './actions/sample.ts';
import { successForm } from './actions/success.ts';
import { andThen } from './and-then.ts';
import type { AcceptedKeys, Guard } from './authenticate.ts';
import type { RecordCollection } from './collection.ts';
import { compileRemoval, type Removal } from './deprecation.ts';
import { withDocumentedHeaders } from './documented-headers.ts';
import { compileForce, type Force } from './force.ts';
import { compileParentCheck } from './parents.ts';
import type { Refuse } from './refuse.ts';
import type { Finish } from './reply.ts';

/** One operation with all that answering it needs, compiled once. */
export interface Endpoint {
  readonly operation: Operation;
  readonly action: ActionName;
  /** Why the action is `sample`. */
  readonly reason: string | undefined;
  readonly guard: Guard;
  readonly read: RequestReader;
  readonly act: Act;
  readonly refuse: Refuse;
  readonly finish: Finish;
  /** The answer that a client or a rule asks for. */
  readonly force: Force;
  readonly successStatus: number;
  /** Undefined: the document names no day on which the operation will be gone. */
  readonly removal: Removal | undefined;
}

/** What endpoints share. */
export interface World {
  readonly contract: Contract;
  readonly parts: Parts;
  readonly keys: AcceptedKeys;
  readonly basePath: string;
  readonly seeds: SeedValues;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
}

export function compileEndpoint(operation: Operation, world: World): Endpoint {
  const { contract, parts, keys, basePath, seeds } = world;
  const refuse = parts.refuse(operation, contract);
  return {
    operation,
    ...compileAct(operation, world),
    guard: parts.authenticate(operation, keys),
    read: parts.read(operation, contract.validators),
    refuse,
    finish: withDocumentedHeaders(parts.reply(operation, contract, basePath), operation, seeds),
    force: compileForce({ operation, seeds, refuse }),
    successStatus: successForm(operation).status,
    removal: compileRemoval(operation, contract, basePath),
  };
}

function compileAct(
  operation: Operation,
  { contract, parts, seeds, basePath, collections }: World,
): Pick<Endpoint, 'action' | 'act' | 'reason'> {
  let reason = 'it belongs to no collection that the document describes';
  for (const [resource, collection] of collections) {
    const entries = Object.entries(resource.actions) as [Action, Operation][];
    const action = entries.find(([, candidate]) => candidate === operation)?.[0];
    if (!action) continue;
    const act = parts.actions[action]({ contract, operation, collection, seeds, basePath });
    if (act) return { action, act: withParents(act, resource, collections), reason: undefined };
    reason = `nothing says how to ${action} one of ${resource.path}`;
  }
  return { action: 'sample', act: compileSample({ contract, operation, seeds, basePath }), reason };
}

/** What stands below a record that is not there is not there either. */
function withParents(act: Act, resource: Resource, collections: World['collections']): Act {
  const check = compileParentCheck(resource, collections);
  if (!check) return act;
  return (task) => andThen(check(task.values, task.store), (refusal) => refusal ?? act(task));
}
