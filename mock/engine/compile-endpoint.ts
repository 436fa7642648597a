import { accountOperation, isStreamOnly, type LeftOut, leftOutReason, type Operation } from '#spec';
import { withDocumentedHeaders } from '../http/documented-headers.ts';
import { onFirstCall } from '../http/memoize.ts';
import { compileSenders } from '../records/accounts.ts';
import type { Act, ActionName } from '../records/actions/action.ts';
import { compileItemAction } from '../records/actions/item.ts';
import { compileValuesInUse } from '../records/actions/list.ts';
import { compileSample } from '../records/actions/sample.ts';
import { takenFrom } from '../records/actions/show.ts';
import { pathParameter } from '../records/collection.ts';
import type { Endpoint, EndpointContext, StepContext, Visit } from './endpoint.ts';
import { ARRIVAL, compileWay, OPERATION } from './pipeline.ts';

export function compileEndpoint(operation: Operation, given: EndpointContext): Endpoint {
  const { contract, parts, keys, seeds, roles } = given;
  const { act, ...chosen } = chooseAction(operation, given);
  const role = roles.get(operation);
  const read = parts.read(operation, contract.validators);
  const refuse = parts.refuse(operation, contract);
  const context: StepContext = {
    ...{ ...given, ...chosen, operation, role, read, refuse },
    isSampled: chosen.action === 'sample',
    senders: sendersOf(operation, given),
    guardOthers: onFirstCall(() => parts.authenticate(operation, { ...keys, isIssued: () => false })),
  };
  const operating = compileWay(OPERATION, context, { names: () => [chosen.action], act });
  const arriving = compileWay<Visit>(ARRIVAL, context, operating);
  return {
    ...{ operation, role, read, refuse },
    action: given.codeFor(operation) ? 'code' : chosen.action,
    reason: chosen.reason,
    steps: arriving.names,
    act: operating.act,
    respond: arriving.act,
    finish: withDocumentedHeaders(parts.reply(operation, contract), operation, contract, (header) =>
      seeds.keyOf(operation.id, header),
    ),
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

function sendersOf(operation: Operation, { credentials, tokens, cookie, profiles }: EndpointContext) {
  // Where everybody may ask, clients that are logged in send their token all the same.
  const asking = operation.security.length > 0 ? operation : { ...operation, security: [credentials] };
  return compileSenders(asking, tokens, cookie, profiles.whole);
}

interface Chosen extends Pick<StepContext, 'action' | 'collection'>, Pick<Endpoint, 'reason'> {
  readonly act: Act;
}

/** What an operation does, as far as the document says how. */
function chooseAction(operation: Operation, given: EndpointContext): Chosen {
  const { contract, parts, seeds, collections, roles } = given;
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
    const taken = takenFrom(operation, collection.resource, action);
    const own =
      isNamed && !role.isLost ? parts.actions[action]({ ...task, operation: taken.operation }) : undefined;
    if (own) return { action, collection, act: own, reason: undefined };
    // Whatever is done to it, the record must exist.
    const some = isNamed && named && CHANGES.has(action) ? compileItemAction(task) : undefined;
    if (some) return { action: 'action', collection, act: some, reason: undefined };
    reason = isNamed
      ? `nothing says how to ${action} one of ${collection.name}`
      : `no ${collection.resource.id?.property} of ${collection.name} can be {${collection.resource.id?.parameter}} of this path`;
  }
  const used = role ? undefined : compileValuesInUse(context);
  if (used) return { action: 'view', collection: undefined, act: used, reason: undefined };
  return { action: 'sample', collection: undefined, act: compileSample(context), reason };
}

const CHANGES: ReadonlySet<ActionName> = new Set<ActionName>(['replace', 'update']);
