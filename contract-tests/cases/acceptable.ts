import { essenceOf, responseFor, SAFE_METHODS } from '#spec';
import { ordinaryInput } from '../arrange/requests.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { type Family, makeCase, slugOf } from './case.ts';

/**
 * Each documented media type of a response is asked for alone. A service may send another documented one all the same, or
 * refuse (RFC 9110 §12.5.1, §15.5.7): what comes must be as documented, and that it is the right one is not promised.
 */
export const acceptable: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    if (success === undefined || !SAFE_METHODS.has(operation.method)) return [];
    const { content = [] } = responseFor(operation.responses, success) ?? {};
    const types = [...new Set(content.map(({ type }) => type))].filter((type) => !type.includes('*'));
    if (types.length < 2) return [];
    return types.map((type) => ({
      ...makeCase(
        operation,
        success,
        `accept-${slugOf(type)}`,
        `a client that accepts ${type} alone gets a documented response`,
        async (trial) => {
          const input = await ordinaryInput(trial, operation);
          const headers = [['Accept', type]] as const;
          const { sound, response } = await trial.send(operation, { ...input, headers });
          const got = essenceOf(response.contentType ?? 'no media type');
          if (sound && got !== essenceOf(type))
            trial.leaveOpen(
              `Accept: ${type}: ${response.status === success ? got : describeStatus(response)}`,
            );
        },
      ),
      demands: false,
    }));
  });

/** A media type that nobody documents. A service may refuse it (RFC 9110 §15.5.7) or send what it has (§12.5.1). */
const UNDOCUMENTED = 'image/x-paddock';

export const unacceptable: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    if (success === undefined || !SAFE_METHODS.has(operation.method)) return [];
    const title = 'an Accept that names no documented media type does not break the service';
    return {
      ...makeCase(operation, success, 'unacceptable', title, async (trial) => {
        const input = await ordinaryInput(trial, operation);
        const headers = [['Accept', UNDOCUMENTED]] as const;
        const { sound, response } = await trial.send(operation, { ...input, headers });
        if (sound) trial.leaveOpen(`Accept: ${UNDOCUMENTED}: ${describeStatus(response)}`);
      }),
      demands: false,
    };
  });
