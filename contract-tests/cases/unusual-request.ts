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

/** Of what is sent only a 5xx is judged. */
export async function failuresAlone(trial: Trial, send: () => Promise<unknown>): Promise<void> {
  const before = trial.findings.length;
  await send();
  const found = trial.findings.splice(before);
  trial.findings.push(...found.filter(({ exchange }) => exchange.response.status >= 500));
}

/** The cell is that of the success, though nothing is said of it. */
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
 * What is answered where a value of the path names nothing, of which the document is silent: that is no reason for a 5xx.
 * Each value is made up in its turn, beside ordinary ones. What would make a record is not sent.
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
        // What it would change is nobody's, or a record that nothing else needs.
        else if (Object.values(one).every(isUnlikely) && isNobodys(trial, operation, parameter.name)) {
          const input = await ordinaryInput(trial, operation, true, { path: one });
          await trial.send(operation, { ...input, unknownId: parameter.name === last });
        }
      }
    });
  });

/** Whether nothing of others can be meant where a value is made up: it is the last one, or a record of the run's own is below it. */
function isNobodys({ plan }: Trial, operation: Operation, name: string): boolean {
  const names = pathParameters(operation.path);
  const below = names.slice(names.indexOf(name) + 1);
  return below.length === 0 || below.some((one) => plan.permissions.canOwn(operation, one));
}

/** Whether an operation changes what is there, and makes nothing: a PUT may, whatever its document says (RFC 9110 §9.3.4). */
function isChange(contract: Contract, operation: Operation): boolean {
  const resource = resourceOf(contract, operation);
  const isMaking = operation.method === 'PUT' || (resource && creatorOf(resource) === operation);
  return !SAFE_METHODS.has(operation.method) && !isMaking;
}

/** Signs that a URL has in an encoded form alone. */
const SIGNS = ' [\u{1F408}é] {a}';

/** A record whose path names it by an unusual text: the service makes it, or refuses it. */
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

/** Of a form without its parts, and of a parameter that nobody documents, a read takes no notice, or it refuses them. */
export const strangeReads: Family = (contract) =>
  contract.operations
    .filter((operation) => operation.method === 'GET' && successStatuses(operation).length > 0)
    .map((operation) =>
      failureCase(operation, 'strange', 'what nobody documents of a request', async (trial) => {
        const input = await ordinaryInput(trial, operation);
        // Who fails anyhow does not fail for that.
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
