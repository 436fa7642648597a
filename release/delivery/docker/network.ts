import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stdoutOf } from './buildah.ts';

/** A network of containers: each has a namespace with an address of its own, and reaches the others by their names. */
export interface Network {
  /** The network namespace of a container. */
  namespaceOf(name: string): string;
  /** A file of their names, for /etc/hosts. */
  readonly hosts: string;
  remove(): Promise<void>;
}

const ip = (...args: string[]) => stdoutOf('ip', args);

/** Joins namespaces by a bridge, which is in one of its own: no other process of this machine is in that network. */
export async function createNetwork(names: readonly string[]): Promise<Network> {
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
