import type { Operation } from '#spec';
import { askList, listedResources } from '../arrange/list.ts';
import { ordinaryAsk } from '../arrange/ordinary.ts';
import { roleOf, successStatuses } from '../operation-role.ts';
import type { Answer } from '../send/answer.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase } from './family.ts';

/** Every operation but a create, asked as an ordinary client would: the documented success. */
export const ordinary: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    const action = roleOf(contract, operation)?.action;
    if (success === undefined || action === 'create') return [];
    return makeCase(operation, success, 'ordinary', 'an ordinary request succeeds', async (trial) => {
      const answer = await askFreshly(trial, operation, success);
      if (trial.expect(answer, success) && operation.sunset) noticeSunset(answer.headers, trial);
    });
  });

/** Others may have removed the record since it was listed: then one that is listed now is asked for. */
async function askFreshly(trial: Trial, operation: Operation, success: number): Promise<Answer> {
  const ask = await ordinaryAsk(trial, operation);
  const answer = await trial.ask(operation, ask);
  const role = roleOf(trial.run.contract, operation);
  const [listed] = role ? listedResources([role.resource]) : [];
  const { parameter, property } = role?.resource.id ?? {};
  if (answer.status === success || role?.action !== 'read' || !listed || !parameter || !property)
    return answer;
  const [newest] = (await askList(trial, listed, {})).records;
  return newest
    ? trial.ask(operation, { ...ask, path: { ...ask.path, [parameter]: newest[property] } })
    : answer;
}

function noticeSunset(
  headers: readonly (readonly [string, string])[],
  trial: { notice(text: string): void },
): void {
  const sunset = headers.some(([name]) => name.toLowerCase() === 'sunset');
  if (!sunset)
    trial.notice('the document sets a day of removal, and the answer has no Sunset header (RFC 8594)');
}
