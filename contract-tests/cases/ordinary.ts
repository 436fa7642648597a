import { bodyMedia, explicitStatuses, type Operation } from '#spec';
import { detachedInput, ordinaryInput } from '../arrange/requests.ts';
import { anyBody, guessedPath } from '../arrange/target.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import { NoInput, NotProvoked, NotReached, type ReasonCode } from '../run/not-reached.ts';
import { guessedValues } from '../run/path-values.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import type { Expectation } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { headerOf, Unreachable } from '../send/wire.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** Every operation but a create with a body, called as an ordinary client would: the documented success. */
export const ordinary: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    const role = roleOf(contract, operation);
    if (success === undefined) return ordinaryWithoutStatus(operation);
    if (role?.action === 'create' && bodyMedia(operation.body)) return [];
    return makeCase(operation, success, 'ordinary', 'an ordinary request succeeds', async (trial) => {
      let isRepeated = false;
      const drive = () => {
        // Others may have removed the record since it was listed: the next round looks for one that is listed now.
        if (isRepeated && role) trial.run.found.lists.delete(role.resource);
        isRepeated = true;
        return call(trial, operation, { status: success });
      };
      const { sound, response } = await (role?.action === 'read' ? trial.settle(drive) : drive());
      if (sound && operation.sunset && headerOf(response, 'sunset') === undefined)
        trial.notice('Sunset date documented, and the response has no Sunset header (RFC 8594)');
    });
  });

/** Without these a record, or what leads to one, is missing; anything else ends the case. */
const MISSING: ReadonlySet<ReasonCode> = new Set([
  'unprovoked',
  'no-input',
  'target',
  'read-only',
  'excluded',
  'withheld',
  'no-room',
]);

/** Each operation is called: where no value of its path is known, and it changes nothing, with a likely one. */
async function call(trial: Trial, operation: Operation, expected?: Expectation): Promise<Judged> {
  const expecting = expected && { expected };
  try {
    return await trial.send(operation, { ...(await ordinaryInput(trial, operation)), ...expecting });
  } catch (error) {
    const isMissing = error instanceof NotReached && MISSING.has(error.code);
    const isClosed = error instanceof Unreachable && error.tries.closed > 0;
    const path = isMissing || isClosed ? guessedPath(trial, operation) : undefined;
    if (!path || trial.trail.steps.some((step) => step.operation === operation)) throw error;
    const body = await anyBody(trial, operation);
    const input = { path, guessed: true, ...(body !== undefined && { body }), ...expecting };
    const judged = await trial.send(operation, input).catch((other: unknown) => {
      throw other instanceof NoInput && !(error instanceof NotProvoked) ? error : other;
    });
    if (!judged.sound || isSuccess(judged.response)) return judged;
    throw error;
  }
}

/** What `default` says of the response holds whatever its status is. */
function ordinaryWithoutStatus(operation: Operation): Case {
  const title = 'the response to an ordinary request is as documented';
  const explicit = explicitStatuses(operation.responses);
  const status = explicit.find((one) => one < 400) ?? USUAL;
  return makeCase(operation, status, 'ordinary', title, async (trial) =>
    demandSuccess(trial, operation, await call(trial, operation)),
  );
}

/** No cell: the case has to be called something. */
const USUAL = 200;

/** Any refusal may be right where no success is documented, and shows nothing of what the operation does. @throws NotReached */
function demandSuccess({ run }: Trial, operation: Operation, { sound, response, input }: Judged): void {
  const isNamed = explicitStatuses(operation.responses).includes(response.status);
  if (!sound || response.status < 400 || isNamed) return;
  const [value] = guessedValues(run.contract, run.settings, operation, input);
  if (value !== undefined) throw new NoInput(`no value of ${value} is known`, { value });
  const reason = `it answers ${response.status} to a valid request, and the document names no success`;
  throw operation.body ? new NoInput(reason, { body: operation }) : new NotReached(reason);
}

/** For stateless targets: each documented status is requested by name (`Prefer: code=`, RFC 7240). */
export const preferred: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const explicit = explicitStatuses(operation.responses);
    if (explicit.length === 0) {
      const title = 'the response to an ordinary request is as documented';
      return makeCase(operation, USUAL, 'ordinary', title, async (trial) =>
        trial.send(operation, await detachedInput(trial, operation)),
      );
    }
    return explicit.map((status) =>
      makeCase(
        operation,
        status,
        'preferred',
        `the response to "Prefer: code=${status}" is as documented`,
        async (trial) => {
          const input = await detachedInput(trial, operation);
          const headers = [['Prefer', `code=${status}`]] as const;
          await trial.send(operation, { ...input, headers, expected: { status } });
        },
      ),
    );
  });
