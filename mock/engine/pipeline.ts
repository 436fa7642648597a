import { accountOperation, isStreamOnly, type LeftOut, leftOutReason, type Operation } from '#spec';
import { withDocumentedHeaders } from '../http/documented-headers.ts';
import { andThen } from '../http/exchange.ts';
import { onFirstCall } from '../http/memoize.ts';
import { isRefusal } from '../http/refusal.ts';
import { compileSenders } from '../records/accounts.ts';
import { compileAccount } from '../records/actions/account.ts';
import type { Act, ActionContext, ActionName, Run, Task } from '../records/actions/action.ts';
import { compileIdempotent } from '../records/actions/idempotent.ts';
import { compileIssuedKeys } from '../records/actions/issued-keys.ts';
import { compileAlone, compileAnyId, compileFound, compileItemAction } from '../records/actions/item.ts';
import { compileNegotiation } from '../records/actions/negotiate.ts';
import { compileOwnFlags } from '../records/actions/own-flags.ts';
import { compilePermit } from '../records/actions/permit.ts';
import { compilePutFile } from '../records/actions/put-file.ts';
import {
  compileBelow,
  compileEmbedded,
  compileNamed,
  compileWrittenWithin,
} from '../records/actions/related.ts';
import { compileSample } from '../records/actions/sample.ts';
import { compileShow, compileTake, takenFrom } from '../records/actions/show.ts';
import { compileTallies, compileValuesInUse } from '../records/actions/tallies.ts';
import { pathParameter } from '../records/collection.ts';
import { compileParents } from '../records/item.ts';
import {
  compileAuthenticate,
  compileDecide,
  compileDelay,
  compileIdentify,
  compileSunset,
  compileUpstream,
  compileValidate,
} from './arrival.ts';
import type { Endpoint, EndpointContext, StepContext, Visit } from './endpoint.ts';

/** One step of a request; docs/adding.md shows an example. */
export interface Step<T extends Task = Task> {
  /** Its name in traces, `paddock explain` and the console. */
  readonly name: string;
  /** Compiled once for each operation. Undefined: the operation does not need the step. */
  readonly compile: (context: StepContext) => Run<T> | undefined;
}

/** The steps of a request: each calls the next one, and receives its outcome. */
const ARRIVAL: readonly Step<Visit>[] = [
  { name: 'delay', compile: compileDelay },
  { name: 'ask the service', compile: compileUpstream },
  { name: 'authenticate', compile: compileAuthenticate },
  { name: 'sunset', compile: compileSunset },
  { name: 'identify', compile: compileIdentify },
  { name: 'validate', compile: compileValidate },
  { name: 'decide', compile: compileDecide },
];

/** The steps once the operation is to run; the action comes last. */
const OPERATION: readonly Step[] = [
  { name: 'idempotency key', compile: compileIdempotent },
  { name: 'callbacks', compile: compileCallbacks },
  { name: 'code', compile: ({ operation, codeFor, refuse }) => codeFor(operation)?.({ refuse }) },
  { name: 'find', compile: ofRecords(compileFound) },
  { name: 'permit', compile: compilePermit },
  { name: 'conditions', compile: (context) => context.parts.conditional(context) },
  { name: 'parents', compile: compileParents },
  { name: 'stream', compile: (context) => context.compileStream?.(context) },
  { name: 'negotiate', compile: compileNegotiation },
  { name: 'hide write-only', compile: ({ parts, operation }) => parts.visible(operation) },
  {
    name: 'account',
    compile: (context) => compileAccount({ ...context, collection: context.role?.collection }),
  },
  { name: 'own flags', compile: ofRecords(compileOwnFlags) },
  { name: 'show related', compile: ofRecords(compileEmbedded) },
  { name: 'write within', compile: ofRecords(compileWrittenWithin) },
  { name: 'named records', compile: ofRecords(compileNamed) },
  { name: 'records below', compile: ofRecords(compileBelow) },
  { name: 'count records', compile: (context) => (context.isSampled ? compileTallies(context) : undefined) },
  { name: 'keys', compile: ofRecords(compileIssuedKeys) },
  { name: 'any id', compile: ofRecords(compileAnyId) },
  { name: 'one record', compile: ofRecords(compileAlone) },
  { name: 'follow account', compile: ofRecords((context) => context.profiles.compileFollow(context)) },
  { name: 'put file', compile: compilePutFile },
  { name: 'around', compile: (context) => context.parts.around(context) },
  { name: 'show record', compile: ofRecords(compileShow) },
  { name: 'take record', compile: ofRecords(compileTake) },
];

/** Callbacks are sent no matter who has run the operation. */
function compileCallbacks({ operation, performed }: StepContext): Run | undefined {
  const send = performed(operation);
  if (!send) return undefined;
  return (task, next) =>
    andThen(next(task), (outcome) => {
      if (!isRefusal(outcome)) send(task, outcome);
      return outcome;
    });
}

function ofRecords(compile: (context: StepContext & ActionContext) => Run | undefined): Step['compile'] {
  return (context) => {
    const { collection } = context;
    return collection && compile({ ...context, collection });
  };
}

/** The names of an operation's steps, and all steps as one. */
export interface Way<T extends Task> {
  names(): readonly string[];
  act(task: T): ReturnType<Act>;
}

/** Compiles an operation's steps with its first request, since most runs use few operations of a large document. */
function compileWay<T extends Task>(steps: readonly Step<T>[], context: StepContext, last: Way<T>): Way<T> {
  let compiled: ReturnType<typeof compile> | undefined;
  function compile() {
    const chosen = steps.flatMap(({ name, compile: choose }) => {
      const run = choose(context);
      return run ? [{ name, run }] : [];
    });
    const act = chosen.reduceRight<Way<T>['act']>(
      (next, { name, run }) =>
        (task) => {
          if (task.met) task.met.step = name;
          return run(task, next);
        },
      last.act,
    );
    return { names: [...chosen.map(({ name }) => name), ...last.names()], act };
  }
  function way() {
    compiled ??= compile();
    return compiled;
  }
  return { names: () => way().names, act: (task) => way().act(task) };
}

/** @param parameter with the id of the record */
function lastStep(name: string, act: Act, parameter = ''): Way<Task> {
  return {
    names: () => [name],
    act(task) {
      const { met, values } = task;
      if (met) {
        met.step = name;
        const id = values.parameters.path[parameter];
        met.record = id === undefined ? undefined : String(id);
      }
      return act(task);
    },
  };
}

export function compileEndpoint(operation: Operation, context: EndpointContext): Endpoint {
  const { contract, parts, keys, seeds, roles } = context;
  const { act, ...chosen } = chooseAction(operation, context);
  const role = roles.get(operation);
  const read = parts.read(operation, contract.validators);
  const refuse = parts.refuse(operation, contract);
  const stepContext: StepContext = {
    ...context,
    ...chosen,
    operation,
    role,
    read,
    refuse,
    isSampled: chosen.action === 'sample',
    senders: compileSenders(operation, context),
    guardOthers: onFirstCall(() => parts.authenticate(operation, { ...keys, isIssued: () => false })),
  };
  const operating = compileWay(
    OPERATION,
    stepContext,
    lastStep(chosen.action, act, role?.collection.resource.id?.parameter),
  );
  const arriving = compileWay<Visit>(ARRIVAL, stepContext, operating);
  return {
    operation,
    role,
    read,
    refuse,
    action: context.codeFor(operation) ? 'code' : chosen.action,
    reason: chosen.reason,
    steps: arriving.names,
    act: operating.act,
    respond: arriving.act,
    finish: withDocumentedHeaders(parts.reply(operation, contract), operation, contract, (header) =>
      seeds.keyOf(operation.id, header),
    ),
  };
}

/** An operation that could not be read beyond its address: it has a route, but refuses every request. */
export function compileLeftOut(operation: Operation, leftOut: LeftOut, context: EndpointContext): Endpoint {
  const refusal = {
    refuse: 'left out',
    message: `${operation.method} ${operation.path} is left out of the mock: ${leftOutReason(leftOut)}`,
  } as const;
  return compileEndpoint(operation, { ...context, codeFor: () => () => () => refusal });
}

interface Chosen extends Pick<StepContext, 'action' | 'collection'>, Pick<Endpoint, 'reason'> {
  readonly act: Act;
}

/** Chooses an operation's action, as far as the document describes it. */
function chooseAction(operation: Operation, endpointContext: EndpointContext): Chosen {
  const { contract, parts, seeds, collections, roles } = endpointContext;
  const role = roles.get(operation);
  const context = { contract, operation, seeds, collections };
  const meaning = accountOperation(operation);
  let reason = isStreamOnly(operation)
    ? 'it is a stream, which sends records where its messages hold them'
    : meaning
      ? `it is the ${meaning.role} of accounts`
      : 'it is stateless';
  if (role) {
    const { action, collection } = role;
    const named = pathParameter(operation, collection.resource.id?.parameter);
    const isNamed = !named || collection.isNamedBy(named);
    const task = { ...context, collection };
    const inner = takenFrom(operation, collection.resource, action);
    const inferred =
      isNamed && !role.isLost ? parts.actions[action]({ ...task, operation: inner.operation }) : undefined;
    if (inferred) return { action, collection, act: inferred, reason: undefined };
    // The record must exist, whatever is done to it.
    const onItem = isNamed && named && CHANGES.has(action) ? compileItemAction(task) : undefined;
    if (onItem) return { action: 'action', collection, act: onItem, reason: undefined };
    reason = isNamed
      ? `nothing says how to ${action} one of ${collection.name}`
      : `no ${collection.resource.id?.property} of ${collection.name} can be {${collection.resource.id?.parameter}} of this path`;
  }
  const view = role ? undefined : compileValuesInUse(context);
  if (view) return { action: 'view', collection: undefined, act: view, reason: undefined };
  return { action: 'sample', collection: undefined, act: compileSample(context), reason };
}

const CHANGES: ReadonlySet<ActionName> = new Set<ActionName>(['replace', 'update']);
