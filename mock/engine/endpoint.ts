import type { Action, Contract, Operation, RequestReader, Resource } from '#spec';
import { andThen } from '../exchange/awaitable.ts';
import type { AcceptedKeys, Guard } from '../http/authenticate.ts';
import { compileRemoval, type Removal } from '../http/deprecation.ts';
import { withDocumentedHeaders } from '../http/documented-headers.ts';
import type { Finish } from '../http/response-headers.ts';
import { successForm } from '../http/success-response.ts';
import type { Forceable } from '../preferences/apply-preference.ts';
import { compileForce } from '../preferences/forced-response.ts';
import type { Act, ActionName } from '../records/actions/action.ts';
import { compileSample } from '../records/actions/sample.ts';
import { compileShow } from '../records/actions/show.ts';
import type { RecordCollection } from '../records/collection.ts';
import { compileParentCheck, type ParentCheck } from '../records/parents.ts';
import type { SeedValues } from '../seed/values.ts';
import type { Parts } from './parts.ts';

/** One operation with everything needed to respond to it, compiled once. */
export interface Endpoint extends Forceable {
  readonly action: ActionName;
  /** Why the action is `sample`. */
  readonly reason: string | undefined;
  readonly guard: Guard;
  readonly read: RequestReader;
  readonly finish: Finish;
  /** Undefined: the document states no day of removal. */
  readonly removal: Removal | undefined;
}

/** What endpoints are compiled from. */
export interface EndpointContext {
  readonly contract: Contract;
  readonly parts: Parts;
  readonly keys: AcceptedKeys;
  readonly basePath: string;
  readonly seeds: SeedValues;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
}

export function compileEndpoint(operation: Operation, context: EndpointContext): Endpoint {
  const { contract, parts, keys, basePath, seeds } = context;
  const refuse = parts.refuse(operation, contract);
  return {
    operation,
    ...compileAct(operation, context),
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
  { contract, parts, seeds, basePath, collections }: EndpointContext,
): Pick<Endpoint, 'action' | 'act' | 'reason'> {
  let reason = 'it belongs to no collection that the document describes';
  for (const [resource, collection] of collections) {
    const entries = Object.entries(resource.actions) as [Action, Operation][];
    const action = entries.find(([, candidate]) => candidate === operation)?.[0];
    if (!action) continue;
    const task = { contract, operation, collection, seeds, basePath };
    const plain = parts.actions[action](task);
    reason = `nothing says how to ${action} one of ${resource.path}`;
    if (!plain) continue;
    const act = compileShow(task, action, plain);
    // What is nested below a record that does not exist does not exist either.
    const check = compileParentCheck(resource, collections);
    return { action, act: check ? ifParentsExist(check, act) : act, reason: undefined };
  }
  const check = compileParentCheck(operation, collections);
  const act = compileSample({ contract, operation, seeds, basePath });
  return { action: 'sample', act: check ? ifParentsExist(check, act) : act, reason };
}

function ifParentsExist(check: ParentCheck, act: Act): Act {
  return (task) => andThen(check(task.values, task.store), (refusal) => refusal ?? act(task));
}
