import { explicitStatuses, type Operation } from '#spec';
import { detachedInput, ordinaryInput } from '../arrange/requests.ts';
import { leavesStatusOpen, roleOf, successStatuses } from '../laws/operation-role.ts';
import { headerOf } from '../send/wire.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** Every operation but a create, called as an ordinary client would: the documented success. */
export const ordinary: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    const role = roleOf(contract, operation);
    if (success === undefined && leavesStatusOpen(operation)) return ordinaryWithoutStatus(operation);
    if (success === undefined || role?.action === 'create') return [];
    return makeCase(operation, success, 'ordinary', 'an ordinary request succeeds', async (trial) => {
      let isRepeated = false;
      const drive = async () => {
        // Others may have removed the record since it was listed: the next round looks for one that is listed now.
        if (isRepeated && role) trial.run.found.lists.delete(role.resource);
        isRepeated = true;
        const input = await ordinaryInput(trial, operation);
        return trial.send(operation, { ...input, expected: { status: success } });
      };
      const { sound, response } = await (role?.action === 'read' ? trial.settle(drive) : drive());
      if (sound && operation.sunset && headerOf(response, 'sunset') === undefined)
        trial.notice('the document sets a day of removal, and the response has no Sunset header (RFC 8594)');
    });
  });

/** What `default` says of the response holds whatever its status is. */
function ordinaryWithoutStatus(operation: Operation): Case {
  const title = 'the response to an ordinary request is as documented';
  return makeCase(operation, USUAL, 'ordinary', title, async (trial) =>
    trial.send(operation, await ordinaryInput(trial, operation)),
  );
}

/** No cell: the case has to be called something. */
const USUAL = 200;

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
