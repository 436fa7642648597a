import { ordinaryInput } from '../arrange/ask.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { SAFE_METHODS } from '../send/wire.ts';
import { type Family, makeCase } from './family.ts';

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
