import { andThen } from '../http/exchange.ts';
import { isRefusal } from '../http/refusal.ts';
import { compileAccount } from '../records/actions/account.ts';
import type { Act, ActionContext, Run, Task } from '../records/actions/action.ts';
import { compileIdempotent } from '../records/actions/idempotent.ts';
import { compileIssuedKeys } from '../records/actions/issued-keys.ts';
import { compileAlone, compileAnyId } from '../records/actions/item.ts';
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
import { compileShow, compileTake } from '../records/actions/show.ts';
import { compileTallies } from '../records/actions/tallies.ts';
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
import type { StepContext, Visit } from './endpoint.ts';

/** One step on the way of a request; docs/adding.md shows one. */
export interface Step<T extends Task = Task> {
  /** As traces, `paddock explain` and the console show it. */
  readonly name: string;
  /** Chosen once for each operation; undefined: it does nothing for it. */
  readonly compile: (context: StepContext) => Run<T> | undefined;
}

/** The way of a request: each step calls the next one, and gets what that responds. */
export const ARRIVAL: readonly Step<Visit>[] = [
  { name: 'delay', compile: compileDelay },
  { name: 'ask the service', compile: compileUpstream },
  { name: 'authenticate', compile: compileAuthenticate },
  { name: 'sunset', compile: compileSunset },
  { name: 'identify', compile: compileIdentify },
  { name: 'validate', compile: compileValidate },
  { name: 'decide', compile: compileDecide },
];

/** The same, once it is decided that the operation is carried out; last of all comes its action. */
export const OPERATION: readonly Step[] = [
  { name: 'idempotency key', compile: compileIdempotent },
  { name: 'callbacks', compile: compileCallbacks },
  { name: 'code', compile: ({ operation, codeFor, refuse }) => codeFor(operation)?.({ refuse }) },
  { name: 'permit', compile: compilePermit },
  { name: 'conditions', compile: (context) => context.parts.conditional(context) },
  { name: 'parents', compile: compileParents },
  { name: 'stream', compile: (context) => context.compileStream?.(context) },
  { name: 'negotiate', compile: compileNegotiation },
  { name: 'hide write-only', compile: ({ parts, operation }) => parts.visible(operation) },
  { name: 'account', compile: (given) => compileAccount({ ...given, collection: given.role?.collection }) },
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

/** Callbacks are sent whoever has carried the operation out. */
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

/** What the steps of an operation are called, and all of them in one. */
export interface Way<T extends Task> {
  names(): readonly string[];
  act(task: T): ReturnType<Act>;
}

/** The steps that an operation has, compiled with the first request: of a large document most runs use few operations. */
export function compileWay<T extends Task>(
  steps: readonly Step<T>[],
  context: StepContext,
  last: Way<T>,
): Way<T> {
  let compiled: ReturnType<typeof compile> | undefined;
  function compile() {
    const chosen = steps.flatMap(({ name, compile: choose }) => {
      const run = choose(context);
      return run ? [{ name, run }] : [];
    });
    const act = chosen.reduceRight<Way<T>['act']>(
      (next, { run }) =>
        (task) =>
          run(task, next),
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
