import { ordinaryInput } from '../arrange/ask.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import { headerOf } from '../send/wire.ts';
import { type Family, makeCase } from './family.ts';

/** Every operation but a create, called as an ordinary client would: the documented success. */
export const ordinary: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    const role = roleOf(contract, operation);
    if (success === undefined || role?.action === 'create') return [];
    return makeCase(operation, success, 'ordinary', 'an ordinary request succeeds', async (trial) => {
      const drive = async () => {
        const input = await ordinaryInput(trial, operation);
        const judged = await trial.send(operation, { ...input, expected: { status: success } });
        // Others may have removed the record since it was listed: the next round looks for one that is listed now.
        if (!judged.sound && role) trial.run.found.lists.delete(role.resource);
        return judged;
      };
      const { sound, response } = await (role?.action === 'read' ? trial.settle(drive) : drive());
      if (sound && operation.sunset && headerOf(response, 'sunset') === undefined)
        trial.notice('the document sets a day of removal, and the response has no Sunset header (RFC 8594)');
    });
  });
