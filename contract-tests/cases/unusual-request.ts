import {
  type Contract,
  explicitStatuses,
  isAtItem,
  type Operation,
  type Parameter,
  pathParameters,
  SAFE_METHODS,
} from '#spec';
import { isUnlikely, unknownId } from '../arrange/made-up.ts';
import { ordinaryInput } from '../arrange/requests.ts';
import { creatorOf, resourceOf, successStatuses } from '../laws/operation-role.ts';
import { pathOfOwn } from '../run/path-values.ts';
import type { Trial } from '../run/trial.ts';
import { NOT_FOUND } from '../send/wire.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** Sends requests of which only a 5xx is reported. */
export async function failuresAlone(trial: Trial, send: () => Promise<unknown>): Promise<void> {
  const before = trial.findings.length;
  await send();
  const findings = trial.findings.splice(before);
  trial.findings.push(...findings.filter(({ exchange }) => exchange.response.status >= 500));
}

/** A case for the cell of the success, which it does not demand. */
function failureCase(
  operation: Operation,
  slug: string,
  title: string,
  drive: (trial: Trial) => Promise<void>,
): Case {
  const status = successStatuses(operation)[0] ?? 200;
  const does = `${title} does not break the service`;
  const alone = (trial: Trial) => failuresAlone(trial, () => drive(trial));
  return makeCase({ operation, status }, slug, does, alone, { demands: false });
}

/**
 * Responses to paths that name nothing, where the document has no status: a 5xx is still a fault. Each value is made up in
 * turn, beside ordinary ones. Requests that would create a record are not sent.
 */
export const unknownPaths: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const all = pathOfOwn(operation);
    const last = pathParameters(operation.path).at(-1);
    const isDocumented = explicitStatuses(operation.responses).includes(NOT_FOUND);
    const unknown = all.filter(
      ({ name, shape }) => !(isDocumented && name === last) && !shape.values && shape.mainType !== 'boolean',
    );
    const isRead = operation.method === 'GET';
    const isCalled = isRead ? successStatuses(operation).length > 0 : isChange(contract, operation);
    if (!isCalled || unknown.length === 0) return [];
    return failureCase(operation, 'unknown-path', 'a path that names nothing', async (trial) => {
      const { seed } = trial.plan.settings;
      const madeUp = (names: readonly Parameter[]) =>
        Object.fromEntries(names.map(({ name, shape }) => [name, unknownId(shape, `${name} ${seed} path`)]));
      const { path } = isRead ? await ordinaryInput(trial, operation).catch(() => ({ path: {} })) : {};
      for (const parameter of unknown) {
        const one = madeUp([parameter]);
        if (isRead) await trial.send(operation, { path: { ...madeUp(all), ...path, ...one }, guessed: true });
        // It would change no record, or one that nothing else needs.
        else if (Object.values(one).every(isUnlikely) && isNobodys(trial, operation, parameter.name)) {
          const input = await ordinaryInput(trial, operation, true, { path: one });
          await trial.send(operation, { ...input, unknownId: parameter.name === last });
        }
      }
    });
  });

/** Whether a made-up value cannot affect others' records: it is the last one, or a record of the run is below it. */
function isNobodys({ plan }: Trial, operation: Operation, name: string): boolean {
  const names = pathParameters(operation.path);
  const below = names.slice(names.indexOf(name) + 1);
  return below.length === 0 || below.some((one) => plan.permissions.canOwn(operation, one));
}

/** Whether an operation only changes existing records: a PUT may always create (RFC 9110 §9.3.4). */
function isChange(contract: Contract, operation: Operation): boolean {
  const resource = resourceOf(contract, operation);
  const isMaking = operation.method === 'PUT' || (resource && creatorOf(resource) === operation);
  return !SAFE_METHODS.has(operation.method) && !isMaking;
}

/** Characters that a URL must encode. */
const SIGNS = ' [\u{1F408}é] {a}';

/** A record whose path contains unusual characters: the service creates or rejects it. */
export const strangeRecords: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const parameter = pathOfOwn(operation).at(-1);
    const resource = resourceOf(contract, operation);
    const isMade = resource && creatorOf(resource) === operation && isAtItem(resource, operation);
    if (!isMade || operation.method !== 'POST' || parameter?.shape.mainType !== 'string') return [];
    const { name, schema } = parameter;
    return failureCase(operation, 'signs-in-path', `a ${name} with signs in it`, async (trial) => {
      const text = `${trial.marks.next()}${SIGNS}`;
      if (schema && trial.plan.contract.validators.compile(schema, 'request')(text).length > 0) return;
      const input = await ordinaryInput(trial, operation, false, { path: { [name]: text } });
      await trial.send(operation, { ...input, creates: true });
    });
  });

/** A read ignores or rejects an undocumented parameter, and the type of a form without one. */
export const strangeReads: Family = (contract) =>
  contract.operations
    .filter((operation) => operation.method === 'GET' && successStatuses(operation).length > 0)
    .map((operation) =>
      failureCase(operation, 'strange', 'what nobody documents of a request', async (trial) => {
        const input = await ordinaryInput(trial, operation);
        // An operation that fails anyway does not fail for that reason.
        const { response } = await trial.send(operation, input);
        if (response.status >= 500) return;
        const inQuery = { in: 'query', name: 'paddock\u001b' } as const;
        const query = { ...input.query, [inQuery.name]: '' };
        await trial.send(operation, { ...input, query, undocumented: inQuery });
        const ofBody = { in: 'header', name: 'content-type' } as const;
        const headers = [['Content-Type', 'multipart/form-data']] as const;
        await trial.send(operation, { ...input, headers, undocumented: ofBody });
      }),
    );
