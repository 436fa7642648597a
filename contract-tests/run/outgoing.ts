import type { Operation } from '#spec';
import { CredentialFailed } from '../credentials/obtain.ts';
import type { PatientClient } from '../send/patience.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import type { Exchange } from '../send/response.ts';
import type { WireRequest, WireResponse } from '../send/wire.ts';
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
  run: Pick<Run, 'settings' | 'keyring' | 'userCode' | 'lockOut'>,
  operation: Operation,
  input: RequestInput,
  tag?: string,
): Promise<Outgoing> {
  const { settings, keyring, userCode } = run;
  await unlocked(run, () => keyring.fresh(operation));
  const keys = { ...settings.credentials };
  const planned = planRequest(settings, operation, input, tag);
  const made = await userCode.outgoing(operation, planned, input.refused !== undefined);
  if ('skip' in made) throw new NotReached(`a hook skips it: ${made.skip}`, 'hook');
  return { request: made.message, keys };
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
  run: Pick<Run, 'settings' | 'keyring' | 'userCode' | 'lockOut'>,
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
