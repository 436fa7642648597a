import { explicitStatuses } from '#spec';
import { detachedInput } from '../arrange/ask.ts';
import { type Family, makeCase } from './family.ts';

/** For stateless targets: each documented status is requested by name (`Prefer: code=`, RFC 7240). */
export const preferred: Family = (contract) =>
  contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).map((status) =>
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
    ),
  );
