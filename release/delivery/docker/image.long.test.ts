import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { NEW, OLD } from '../testing/user-project.ts';
import { buildImage, createStorage, unpack } from './buildah.ts';
import { canRunContainers, WHY_NOT } from './can-run-containers.ts';
import { filesOf, readServices, type Service } from './compose.ts';
import { type Container, type RunOptions, runContainer, stop } from './container.ts';
import { createNetwork, type Network } from './network.ts';
import { hasNginx, runNginx } from './nginx-container.ts';
import { runPostgres } from './postgres-container.ts';
import { makeStandIns } from './stand-in-images.ts';

/** The Dockerfile, built by Buildah from stand-ins of its base images, and run as process 1 on a read-only tree. */
type Image = Awaited<ReturnType<typeof unpack>>;

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
