import {
  basePathsAt,
  type Contract,
  compileRoutes,
  type Operation,
  percentDecode,
  type Resource,
  type Router,
} from '#spec';
import { perContract } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import { headerOf } from '../send/wire.ts';
import type { Creation } from './creation.ts';

const CREATED = 201;

/** By the path of the base URL. */
const routesOf = perContract(() => new Map<string, Router<{ readonly operation: Operation }>>());

function routesAt(contract: Contract, base: string): Router<{ readonly operation: Operation }> {
  const known = routesOf(contract);
  const routes =
    known.get(base) ??
    compileRoutes(
      contract.operations.map((operation) => ({ operation })),
      ({ operation }) => ({
        path: operation.path,
        basePaths: basePathsAt(base, contract.basePaths, operation),
      }),
    );
  known.set(base, routes);
  return routes;
}

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
  if (url?.origin !== request.url.origin) return;
  const found = routesAt(contract, settings.base.pathname)(url.pathname, 'GET');
  const operation = found?.methods.get('GET')?.operation;
  if (!found || !operation || operation === creation.operation || permissions.of(operation)) return;
  const path = Object.fromEntries(
    Object.entries(found.path).map(([name, text]) => [name, percentDecode(text) ?? text]),
  );
  await trial.send(operation, { path, located: { id, resource } });
}
