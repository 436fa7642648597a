import {
  accountOperation,
  type Contract,
  isStreamOnly,
  type LeftOut,
  leftOutReason,
  type Operation,
  type RequestReader,
  type Requirement,
  type Resource,
  type SessionCookie,
} from '#spec';
import type { Guard, Keys } from '../http/authenticate.ts';
import { withDocumentedHeaders } from '../http/documented-headers.ts';
import type { Refuse } from '../http/error-response.ts';
import { type Awaitable, andThen, type MockRequest, type ResponseContent } from '../http/exchange.ts';
import { onFirstCall } from '../http/memoize.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import { compileRemoval, type Finish, type Removal } from '../http/response-headers.ts';
import type { Tokens } from '../http/tokens.ts';
import { compileSenders, type Logins, type Sender } from '../records/accounts.ts';
import { compileAccount } from '../records/actions/account.ts';
import type { Act, ActionName, Task } from '../records/actions/action.ts';
import { compileIdempotent } from '../records/actions/idempotent.ts';
import { compileAnyId, compileItemAction } from '../records/actions/item.ts';
import { compileNegotiation } from '../records/actions/negotiate.ts';
import { compileOwnFlags } from '../records/actions/own-flags.ts';
import { compilePermit } from '../records/actions/permit.ts';
import { compileRelated } from '../records/actions/related.ts';
import { compileSample } from '../records/actions/sample.ts';
import { compileValuesInUse } from '../records/actions/values-in-use.ts';
import { pathParameter, type RecordCollection } from '../records/collection.ts';
import { compileParentCheck, type ForeignParent } from '../records/item.ts';
import type { Profiles } from '../records/profiles.ts';
import type { RelationsOf } from '../records/relations.ts';
import type { Role } from '../records/roles.ts';
import type { SeedValues } from '../records/seed/values.ts';
import type { Standing } from '../records/standing.ts';
import type { compileStream } from '../records/streams/compile-stream.ts';
import type { ApplyPreference, Forceable } from '../sessions/preferences/apply-preference.ts';
import type { Store } from '../store/port.ts';
import type { Parts } from './parts.ts';

/** One operation with everything needed to respond to it, compiled once. */
export interface Endpoint {
  readonly operation: Operation;
  readonly action: ActionName;
  readonly act: Act;
  readonly refuse: Refuse;
  readonly applyPreference: ApplyPreference;
  /** Why the action is `sample`. */
  readonly reason: string | undefined;
  readonly guard: Guard;
  /** Who has sent a request with the token of an account; a refusal where that is good for nothing any more, and nothing else lets it in. */
  readonly identify: (
    request: MockRequest,
    store: Store,
    now: (() => number) | undefined,
  ) => Awaitable<Sender | Refusal | undefined>;
  readonly read: RequestReader;
  readonly finish: Finish;
  /** Undefined: the document states no sunset date. */
  readonly removal: Removal | undefined;
  /** What the operation does with which records; undefined: nothing that the document describes. */
  readonly role: Role | undefined;
}

/** What endpoints are compiled from. */
export interface EndpointContext {
  readonly contract: Contract;
  readonly parts: Parts;
  readonly keys: Keys;
  readonly seeds: SeedValues;
  /** Undefined: no response is a stream. */
  readonly compileStream: typeof compileStream | undefined;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly relationsOf: RelationsOf;
  readonly roles: ReadonlyMap<Operation, Role>;
  readonly tokens: Tokens;
  readonly logins: Logins;
  readonly standing: Standing;
  readonly profiles: Profiles;
  /** Undefined: the document knows of no cookie of a login. */
  readonly cookie: SessionCookie | undefined;
  /** An operation as rules and the log name it. */
  readonly shown: (operation: Operation) => Operation;
  /** The records of other documents that a path names; asked for only when all documents are compiled. */
  readonly foreignParents: (operation: Operation) => readonly ForeignParent[];
  /** All that operations of the document ask for. */
  readonly credentials: Requirement;
  /** What follows when an operation has been carried out; undefined: nothing. */
  readonly performed: (operation: Operation) => ((task: Task, response: ResponseContent) => void) | undefined;
  /** Compiles the code of the user's for an operation; undefined: there is none. */
  readonly codeFor: (operation: Operation) => ((coded: Codable) => Act) | undefined;
}

/** What code takes the place of, and what it is given. */
export interface Codable {
  readonly refuse: Refuse;
  readonly act: Act;
}

export function compileEndpoint(operation: Operation, context: EndpointContext): Endpoint {
  const { contract, parts, keys, seeds, roles } = context;
  const refuse = parts.refuse(operation, contract);
  const ordinary = compileAct(operation, context);
  const code = context.codeFor(operation);
  const own: typeof ordinary = code
    ? { action: 'code', act: code({ refuse, act: ordinary.act }), reason: undefined }
    : ordinary;
  const compiled = { ...own, act: withConsequences(own.act, context.performed(operation)) };
  return {
    operation,
    ...compiled,
    guard: parts.authenticate(operation, keys),
    identify: compileIdentify(operation, context),
    read: parts.read(operation, contract.validators),
    refuse,
    finish: withDocumentedHeaders(parts.reply(operation, contract), operation, contract, (header) =>
      seeds.keyOf(operation.id, header),
    ),
    applyPreference: loadPreferences({
      ...{ operation: context.shown(operation), contract, seeds, refuse, act: compiled.act },
      collection: roles.get(operation)?.collection,
    }),
    removal: compileRemoval(operation, contract),
    role: roles.get(operation),
  };
}

/** An operation of which nothing but its address can be read: it has a place among the others, and refuses every request. */
export function compileLeftOut(operation: Operation, leftOut: LeftOut, context: EndpointContext): Endpoint {
  const refusal = {
    refuse: 'left out',
    message: `${operation.method} ${operation.path} is left out of the mock: ${leftOutReason(leftOut)}`,
  } as const;
  return compileEndpoint(operation, { ...context, codeFor: () => () => () => refusal });
}

/** Callbacks are sent whoever has carried the operation out. */
function withConsequences(act: Act, performed: ReturnType<EndpointContext['performed']>): Act {
  if (!performed) return act;
  return (task) =>
    andThen(act(task), (outcome) => {
      if (!isRefusal(outcome)) performed(task, outcome);
      return outcome;
    });
}

function sendersOf(operation: Operation, { credentials, tokens, cookie, profiles }: EndpointContext) {
  // Where everybody may ask, clients that are logged in send their token all the same.
  const asking = operation.security.length > 0 ? operation : { ...operation, security: [credentials] };
  return compileSenders(asking, tokens, cookie, profiles.whole);
}

function compileIdentify(operation: Operation, context: EndpointContext): Endpoint['identify'] {
  const { senderOf } = sendersOf(operation, context);
  const guardOthers = context.parts.authenticate(operation, { ...context.keys, isIssued: () => false });
  return (request, store, now) =>
    andThen(senderOf(request, store, (now ?? Date.now)()), (sender) =>
      sender === 'revoked' ? guardOthers(request, now) : sender,
    );
}

/** Loaded with the first request that has a preference, or may match a rule. */
function loadPreferences(forceable: Forceable): ApplyPreference {
  return onFirstCall(() => {
    const compiled = import('../sessions/preferences/apply-preference.ts').then(({ compilePreferences }) =>
      compilePreferences(forceable),
    );
    return async (...request) => (await compiled)(...request);
  });
}

function compileAct(
  operation: Operation,
  given: EndpointContext,
): Pick<Endpoint, 'action' | 'act' | 'reason'> {
  const { contract, parts, seeds, collections, relationsOf, roles } = given;
  const { tokens, logins, standing, profiles, cookie } = given;
  const role = roles.get(operation);
  const senders = sendersOf(operation, given);
  const context = { contract, operation, seeds, collections };
  const meaning = accountOperation(operation);
  const withAccount = (act: Act, isSampled: boolean) =>
    meaning
      ? compileAccount(
          {
            ...{ ...context, tokens, logins, senders, standing, profiles, cookie, isSampled },
            collection: role?.collection,
          },
          meaning,
          act,
        )
      : act;
  const present = (act: Act, action: ActionName, collection?: RecordCollection) => {
    const isSampled = action === 'sample';
    const visible = parts.visible(operation, withAccount(act, isSampled));
    const negotiated = compileNegotiation(context, visible, isSampled);
    const streamed = given.compileStream?.(context, negotiated, isSampled) ?? negotiated;
    const presented = ifParentsExist(streamed, operation, given);
    const conditional = parts.conditional(
      { contract, operation, action, collection, relationsOf },
      presented,
    );
    return compilePermit({ ...context, standing, role }, compileIdempotent(context, conditional));
  };
  let reason = isStreamOnly(operation)
    ? 'it is a stream, which sends records where its messages hold them'
    : meaning
      ? `it is the ${meaning.role} of accounts`
      : 'it is stateless';
  if (role) {
    const { action, collection } = role;
    const named = pathParameter(operation, collection.resource.id?.parameter);
    const isNamed = !named || collection.isNamedBy(named);
    const compile = typeof role.compile === 'string' ? parts.actions[role.compile] : role.compile;
    const task = { ...context, collection };
    const own = isNamed ? compile?.(task) : undefined;
    // Whatever is done to it, the record must exist.
    const act = own ?? (isNamed && named && CHANGES.has(action) ? compileItemAction(task) : undefined);
    if (act) {
      const done = own ? action : 'action';
      const followed = FOLLOWED.has(done) && !meaning ? profiles.compileFollow(task, act) : act;
      const related = onFirstCall(() =>
        compileOwnFlags(task, compileRelated({ ...task, relationsOf }, done, compileAnyId(task, followed))),
      );
      return { action: done, act: present(related, done, collection), reason: undefined };
    }
    reason = isNamed
      ? `nothing says how to ${action} one of ${collection.name}`
      : `no ${collection.resource.id?.property} of ${collection.name} can be {${collection.resource.id?.parameter}} of this path`;
  }
  const used = role ? undefined : compileValuesInUse(context);
  if (used) return { action: 'view', act: present(used, 'view'), reason: undefined };
  return { action: 'sample', act: present(compileSample(context), 'sample'), reason };
}

const FOLLOWED: ReadonlySet<ActionName> = new Set<ActionName>(['replace', 'update', 'action']);
const CHANGES: ReadonlySet<ActionName> = new Set<ActionName>(['replace', 'update']);

/** What is nested below a record that does not exist does not exist either. */
function ifParentsExist(
  act: Act,
  operation: Operation,
  { collections, foreignParents }: Pick<EndpointContext, 'collections' | 'foreignParents'>,
): Act {
  if (!operation.path.includes('{')) return act;
  return onFirstCall(() => {
    const check = compileParentCheck(operation, collections, foreignParents(operation));
    if (!check) return act;
    return (task) => andThen(check(task.values, task.store), (refusal) => refusal ?? act(task));
  });
}
