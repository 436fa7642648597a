import { explicitStatuses } from '#spec';
import { detachedAsk } from '../arrange/ordinary.ts';
import { type Family, makeCase } from './family.ts';

/** For targets without a state: each documented status is asked for by name (`Prefer: code=`, RFC 7240). */
export const preferred: Family = (contract) =>
  contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).map((status) =>
      makeCase(
        operation,
        status,
        'preferred',
        `the answer to "Prefer: code=${status}" is as documented`,
        async (trial) => {
          const ask = await detachedAsk(trial, operation);
          trial.expect(
            await trial.ask(operation, { ...ask, headers: [['Prefer', `code=${status}`]] }),
            status,
          );
        },
      ),
    ),
  );
