import type { Action } from '#spec';
import {
  type Contract,
  compileRequestReader,
  type Operation,
  type RequestReader,
  type Validators,
} from '#spec';
import type { CompileAction } from './answer/actions/action.ts';
import { compileCreate } from './answer/actions/create.ts';
import { compileList } from './answer/actions/list.ts';
import { compileRead } from './answer/actions/read.ts';
import { compileRemove } from './answer/actions/remove.ts';
import { compileReplace } from './answer/actions/replace.ts';
import { compileUpdate } from './answer/actions/update.ts';
import { type AcceptedKeys, compileGuard, type Guard } from './answer/authenticate.ts';
import type { Endpoint } from './answer/endpoint.ts';
import { compileRefuse, type Refuse } from './answer/refuse.ts';
import { compileFinish, type Finish } from './answer/reply.ts';
import { compileRoutes, type Finder } from './answer/route.ts';
import { openMemoryStore } from './store/memory.ts';
import type { OpenStore } from './store/port.ts';

/** The engine's parts, in the order in which a request meets them. Each is compiled once, when the mock starts. */
export interface Parts {
  /** Path -> what the document offers there. */
  readonly route: (basePath: string, endpoints: readonly Endpoint[]) => Finder<Endpoint>;
  /** Who asks: undefined, or the refusal. */
  readonly authenticate: (operation: Operation, keys: AcceptedKeys) => Guard;
  /** What is asked: typed values, and all that is wrong with them. */
  readonly read: (operation: Operation, validators: Validators) => RequestReader;
  /** What is done with the records. */
  readonly actions: Readonly<Record<Action, CompileAction>>;
  /** Where the records are. */
  readonly store: OpenStore;
  /** From a refusal to the documented error body. */
  readonly refuse: (operation: Operation | undefined, contract: Contract) => Refuse;
  /** Status, headers and body as they go over the wire. */
  readonly reply: (operation: Operation | undefined, contract: Contract, basePath: string) => Finish;
}

export const defaultParts: Parts = {
  route: compileRoutes,
  authenticate: compileGuard,
  read: compileRequestReader,
  actions: {
    list: compileList,
    create: compileCreate,
    read: compileRead,
    replace: compileReplace,
    update: compileUpdate,
    remove: compileRemove,
  },
  store: openMemoryStore,
  refuse: compileRefuse,
  reply: compileFinish,
};
