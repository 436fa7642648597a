import { afterAll, beforeAll, describe } from 'vitest';
import { accountCases, withStore } from '../../records/accounts.cases.ts';
import { type PostgresServer, startPostgres } from '../../testing/postgres-server.ts';
import { storeCases } from '../store.cases.ts';
import { postgresStore } from './postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

describe('the PostgreSQL store', () =>
  storeCases(async (collections) => postgresStore(await server.createPlace())(collections)));

describe('accounts in PostgreSQL', () => accountCases(async () => withStore(await server.createPlace())));
