import { ordinaryAsk } from '../arrange/ordinary.ts';
import { roleOf, successStatuses } from '../run.ts';
import { type Family, makeCase } from './family.ts';

/** Every operation but a create, asked as an ordinary client would: the documented success. */
export const ordinary: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    const action = roleOf(contract, operation)?.action;
    if (success === undefined || action === 'create') return [];
    return makeCase(operation, success, 'ordinary', 'an ordinary request succeeds', async (trial) => {
      const answer = await trial.ask(operation, await ordinaryAsk(trial, operation));
      if (trial.expect(answer, success) && operation.sunset) noticeSunset(answer.headers, trial);
    });
  });

function noticeSunset(
  headers: readonly (readonly [string, string])[],
  trial: { notice(text: string): void },
): void {
  const sunset = headers.some(([name]) => name.toLowerCase() === 'sunset');
  if (!sunset)
    trial.notice('the document sets a day of removal, and the answer has no Sunset header (RFC 8594)');
}
