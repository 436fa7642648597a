import { compileRoutes, type Operation, percentDecode, type Resource, type Router } from '#spec';
import { perContract } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import { headerOf } from '../send/wire.ts';
import type { Creation } from './creation.ts';

const CREATED = 201;

const routesOf = perContract(
  ({ operations }): Router<{ readonly operation: Operation }> =>
    compileRoutes(
      '',
      operations.map((operation) => ({ operation })),
    ),
);

/**
 * Reads what a create has named as the place of the new record, where the document has an operation for that path, and the
 * record is read nowhere else (RFC 9110 §10.2.2, §15.3.2).
 */
export async function readAtLocation(trial: Trial, resource: Resource, creation: Creation): Promise<void> {
  const { response, request, evidence, id } = creation;
  const value = headerOf(response, 'location');
  const isDocumented = evidence.documented?.headers.some(({ name }) => name === 'location');
  if (response.status !== CREATED || value === undefined || !isDocumented || id === undefined) return;
  const { contract, settings, permissions } = trial.run;
  const url = URL.parse(value, request.url.href);
  const base = settings.base.pathname.replace(/\/$/, '');
  if (url?.origin !== request.url.origin || !url.pathname.startsWith(`${base}/`)) return;
  const found = routesOf(contract)(url.pathname.slice(base.length));
  const operation = found?.methods.get('GET')?.operation;
  if (!found || !operation || operation === creation.operation || permissions.of(operation)) return;
  const path = Object.fromEntries(
    Object.entries(found.path).map(([name, text]) => [name, percentDecode(text) ?? text]),
  );
  await trial.send(operation, { path, located: { id, resource } });
}
