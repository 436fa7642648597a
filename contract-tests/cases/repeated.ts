import { basisOf, idempotencyKeyOf } from '#spec';
import { listedResources, onEach } from '../arrange/lists.ts';
import { anotherBody, askLongList } from '../arrange/requests.ts';
import { createRecord } from '../arrange/target.ts';
import { refusalOfKey } from '../laws/follow-ups.ts';
import { about, type Family, makeCase } from './case.ts';

/** A create with the key of an earlier one makes nothing: the same body gets the same record, another one is refused. */
export const repeated: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { operation, resource, status } = on;
    const parameter = idempotencyKeyOf(operation);
    if (!parameter || !settings.writes) return [];
    const fact = basisOf([operation.said.facts.idempotencyKey ? 'said' : 'name'], parameter.spot);
    const [listed] = listedResources([resource]);
    const withKey = (key: string) => ({ headers: [[parameter.name, key] as const] });
    const again = makeCase(
      on,
      'repeated',
      'a request with the same key and body makes one record',
      async (trial) => {
        const key = withKey(trial.marks.next());
        const { input } = await createRecord(trial, resource, key);
        await trial.send(operation, {
          ...input,
          ...key,
          reserved: true,
          expected: { status, rests: [fact] },
        });
        if (listed) await askLongList(trial, listed);
      },
    );
    const refusal = refusalOfKey(operation);
    const other = makeCase(on, 'repeated-otherwise', 'a key with another body is refused', async (trial) => {
      const key = withKey(trial.marks.next());
      const { input } = await createRecord(trial, resource, key);
      const body = await anotherBody(trial, operation);
      await trial.send(operation, { ...input, ...key, body, reserved: true });
    });
    return (refusal === undefined ? [again] : [again, other]).map((one) =>
      about(fact, settings, { ...one, creates: 2 }),
    );
  });
