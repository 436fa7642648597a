import { actingParameter, type Contract, type Operation, SAFE_METHODS } from '#spec';
import { CredentialFailed } from '../credentials/obtain.ts';
import { readWire } from '../laws/evidence.ts';
import type { PatientClient } from '../send/patience.ts';
import { AbsentValue, pathTexts, planRequest, type RequestInput } from '../send/plan-request.ts';
import type { Exchange } from '../send/response.ts';
import type { Fault, WireRequest, WireResponse } from '../send/wire.ts';
import { NotReached } from './not-reached.ts';

import type { Run } from './run.ts';

/** A request as it is sent, and the credentials that it was made with. */
export interface Outgoing {
  readonly request: WireRequest;
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Makes a request with credentials that are good for a while, as the user's code wants it.
 * @throws NotReached where no credential can be had, or the user's code leaves the request out
 * @throws UserCodeError
 */
export async function outgoing(
  run: Pick<Run, 'contract' | 'permissions' | 'settings' | 'keyring' | 'userCode' | 'lockOut'>,
  operation: Operation,
  input: RequestInput,
  tag?: string,
): Promise<Outgoing> {
  const { settings, keyring, userCode } = run;
  await unlocked(run, () => keyring.fresh(operation));
  const keys = { ...settings.credentials };
  const planned = plannedOf(settings, operation, input, tag);
  const made = await userCode.outgoing(operation, planned, input.refused !== undefined);
  if ('skip' in made) throw new NotReached(`a hook skips it: ${made.skip}`, 'hook');
  return { request: inItsTurn(run, operation, input, made.message), keys };
}

/** The request with what decides whether others may be under way meanwhile. */
function inItsTurn(
  { contract, permissions }: Pick<Run, 'contract' | 'permissions'>,
  operation: Operation,
  input: RequestInput,
  request: WireRequest,
): WireRequest {
  const isSafe = SAFE_METHODS.has(operation.method);
  if (isSafe) {
    const changes = permissions.changes(operation) || actingParameter(operation, input.query) !== undefined;
    return changes ? { ...request, changes } : request;
  }
  const faults = faultsOf(contract, operation, input, request);
  return faults.length > 0 ? { ...request, faulty: { operation: operation.id, faults } } : request;
}

/** What is wrong with a request, by the document and on purpose. */
function faultsOf(
  contract: Contract,
  operation: Operation,
  input: RequestInput,
  request: WireRequest,
): Fault[] {
  const { refused, unknownId, madeUp, creates } = input;
  const { violations } = readWire(contract, operation, pathTexts(operation, input), request);
  const atPlace = Map.groupBy(violations, (one) => [one.in, one.name, one.pointer].join(' '));
  const faults = [...atPlace].map(([at, all]): Fault => {
    const keywords = all.map(({ kind, keyword }) => `${kind} ${keyword}`).join(' ');
    const [{ pointer, received, limit }] = all as [(typeof all)[0]];
    // Validation that converts texts to numbers, say, refuses other values for a number than for a text.
    const demanded = [pointer === '' ? 'the whole' : 'a member', typeof limit === 'string' ? limit : ''];
    const type = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received;
    const kind = [...demanded, type, keywords].join(' ');
    return { place: `${at} ${keywords}`, kind };
  });
  // Who asks for a credential need not look at it.
  const isNone = refused && refused.headers.length + refused.query.length === 0;
  if (refused) faults.push({ place: isNone ? 'no credential' : 'credential', kind: JSON.stringify(refused) });
  if ((unknownId || madeUp) && !creates) faults.push({ place: 'path', kind: 'names no record' });
  return faults;
}

function plannedOf(...given: Parameters<typeof planRequest>): WireRequest {
  try {
    return planRequest(...given);
  } catch (error) {
    throw error instanceof AbsentValue ? new NotReached(error.message) : error;
  }
}

/** Sends a request, and shows the response as the user's code wants it. @throws NotReached, UserCodeError */
export async function sendOutgoing(
  { userCode }: Pick<Run, 'userCode'>,
  client: PatientClient,
  operation: Operation,
  { request }: Outgoing,
  { input, awaited }: { readonly input: RequestInput; readonly awaited?: number | undefined },
): Promise<WireResponse> {
  const response = await client.send(request, operation.id, awaited);
  const made = await userCode.incoming(operation, request, response, input.refused !== undefined);
  if ('skip' in made) throw new NotReached(`a hook skips it: ${made.skip}`, 'hook');
  return made.message;
}

/** Whether a request that was refused is to be sent again, with a new credential. @throws NotReached */
export async function isRenewed(
  run: Pick<Run, 'keyring' | 'lockOut'>,
  operation: Operation,
  { refused, presented, provoked, expected }: RequestInput,
  { keys }: Outgoing,
  { status }: WireResponse,
): Promise<boolean> {
  const isOwn = !refused && !presented && !provoked && expected?.status !== status;
  return status === UNAUTHORISED && isOwn && unlocked(run, () => run.keyring.renew(operation, keys));
}

export const UNAUTHORISED = 401;

/** The status of the response to a request that is sent once more. */
export async function askAgain(
  run: Parameters<typeof outgoing>[0],
  client: PatientClient,
  { operation, input }: Pick<Exchange, 'operation' | 'input'>,
): Promise<number> {
  const sent = await outgoing(run, operation, input);
  return (await sendOutgoing(run, client, operation, sent, { input })).status;
}

async function unlocked<T>({ lockOut }: Pick<Run, 'lockOut'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CredentialFailed)) throw error;
    lockOut(error.message);
    throw new NotReached(error.message, 'gave-up');
  }
}
