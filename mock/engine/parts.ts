import {
  type Contract,
  compileRequestReader,
  compileRoutes,
  type FurtherRole,
  type Operation,
  type RequestReader,
  type Router,
  type Validators,
} from '#spec';
import { compileGuard, type Guard, type Keys } from '../http/authenticate.ts';
import { compileRefuse, type Refuse } from '../http/error-response.ts';
import { compileFinish, type Finish } from '../http/response-headers.ts';
import type { AroundContext, CompileAction, Run } from '../records/actions/action.ts';
import { type ConditionalContext, compileConditional } from '../records/actions/conditional.ts';
import { compileCreate } from '../records/actions/create.ts';
import { compileReplace, compileUpdate } from '../records/actions/edit.ts';
import { compileItemAction, compileRead, compileRemove } from '../records/actions/item.ts';
import { compileList } from '../records/actions/list.ts';
import { compileCreateMany, compileRemoveMany, compileUpdateMany } from '../records/actions/many.ts';
import { compileVisible } from '../records/actions/show.ts';
import { openMemoryStore } from '../store/memory.ts';
import type { OpenStore } from '../store/port.ts';
import type { OutgoingRequest } from '../webhooks/attempt.ts';

/**
 * The engine's parts, in the order in which a request meets them. Each is compiled once, when the mock starts.
 * @experimental The parts may change in any version.
 */
export interface Parts {
  /** Matches a path. */
  readonly route: <T extends { readonly operation: Operation }>(
    endpoints: readonly T[],
    placeOf: (endpoint: T) => Pick<Operation, 'path' | 'basePaths'>,
  ) => Router<T>;
  /** Authenticates a request. Undefined: it is allowed; else the refusal. */
  readonly authenticate: (operation: Operation, keys: Keys) => Guard;
  /** Reads the request's values and all their violations. */
  readonly read: (operation: Operation, validators: Validators) => RequestReader;
  /** The actions of operations on records. */
  readonly actions: Readonly<Record<FurtherRole, CompileAction>>;
  /** Wraps actions, inside all other steps. */
  readonly around: (context: AroundContext) => Run | undefined;
  /** Removes `writeOnly` members from responses. */
  readonly visible: (operation: Operation) => Run | undefined;
  /** Evaluates conditional requests: `If-Match`, `If-None-Match`. */
  readonly conditional: (context: ConditionalContext) => Run | undefined;
  /** Opens the store of the records. */
  readonly store: OpenStore;
  /** Turns a refusal into the documented error body. */
  readonly refuse: (operation: Operation | undefined, contract: Contract) => Refuse;
  /** Completes status, headers and body of a response. */
  readonly reply: (operation: Operation | undefined, contract: Contract) => Finish;
  /** Completes a callback or webhook before it is sent. Undefined: it is not sent. */
  readonly dispatch: (request: OutgoingRequest) => OutgoingRequest | undefined;
}

/** @experimental See {@link Parts}. */
export const defaultParts: Parts = {
  route: compileRoutes,
  authenticate: compileGuard,
  read: compileRequestReader,
  actions: {
    list: compileList,
    view: compileList,
    create: compileCreate,
    createMany: compileCreateMany,
    read: compileRead,
    replace: compileReplace,
    update: compileUpdate,
    updateMany: compileUpdateMany,
    remove: compileRemove,
    removeMany: compileRemoveMany,
    action: compileItemAction,
  },
  around: () => undefined,
  visible: compileVisible,
  conditional: compileConditional,
  store: openMemoryStore,
  refuse: compileRefuse,
  reply: (operation, contract) => compileFinish(operation, contract),
  dispatch: (request) => request,
};
