import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildah, type Storage, stdoutOf } from './buildah.ts';

/**
 * Images in the place of those that the Dockerfile begins with, since a test has no image registry: made of this machine's
 * files, with the same libc (glibc), users and tools, as far as the Dockerfile uses them.
 */
export async function makeStandIns(storage: Storage): Promise<void> {
  const node = realpathSync(process.execPath);
  const npm = join(await stdoutOf('npm', ['root', '--global']), 'npm');
  await makeImage(storage, 'docker.io/library/node:24-bookworm-slim', {
    programs: ['/bin/sh', '/bin/cp', '/bin/mv', '/usr/bin/env', '/bin/uname'],
    copies: {
      '/usr/local/bin/node': node,
      '/usr/local/lib/node_modules/npm': npm,
      '/usr/bin/ldd': '/usr/bin/ldd',
    },
    scripts: {
      '/usr/local/bin/npm': '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    },
  });
  await makeImage(storage, 'gcr.io/distroless/cc-debian12:nonroot', { librariesOf: [node] });
}

interface Content {
  /** With the libraries that they load. */
  readonly programs?: readonly string[];
  readonly librariesOf?: readonly string[];
  readonly copies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Certificates of this machine, for npm. */
const { NODE_EXTRA_CA_CERTS: CERTIFICATES } = process.env;

async function makeImage(storage: Storage, name: string, content: Content): Promise<void> {
  const { programs = [], copies = {}, scripts = {}, librariesOf = [] } = content;
  const root = join(storage.folder, name.replace(/\W/g, '-'));
  const put = (from: string, to = from) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(realpathSync(from), join(root, to), { recursive: true });
  };
  for (const folder of ['tmp', 'etc', 'proc', 'dev']) mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    ...programs,
    ...librariesOf,
    ...Object.values(copies).filter((file) => file.endsWith('/node')),
  ])
    for (const library of await librariesUsedBy(file)) put(library);
  for (const library of await librariesOfDebian()) put(library);
  for (const file of programs) put(file);
  for (const [to, from] of Object.entries(copies)) put(from, to);
  for (const [to, text] of Object.entries(scripts)) writeFileSync(join(root, to), text, { mode: 0o755 });
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0:root:/root:/bin/sh\nnonroot:x:65532:65532::/home/nonroot:/bin/false\n',
  );
  writeFileSync(join(root, 'etc/hosts'), '');
  if (CERTIFICATES !== undefined && existsSync(CERTIFICATES))
    copyFileSync(CERTIFICATES, join(root, 'etc/extra.pem'));
  const file = join(storage.folder, 'Dockerfile');
  const env = [
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'npm_config_prefer_offline=true',
    'NODE_EXTRA_CA_CERTS=/etc/extra.pem',
  ];
  writeFileSync(file, `FROM scratch\nCOPY . /\nENV ${env.slice(0, programs.length > 0 ? 3 : 1).join(' ')}\n`);
  await buildah(storage, 'build', '--format', 'docker', '--tag', name, '--file', file, root);
}

/** What every image of Debian has: all of glibc, which npm's native packages load. */
async function librariesOfDebian(): Promise<string[]> {
  const files = await stdoutOf('dpkg', ['--listfiles', 'libc6', 'libgcc-s1', 'libstdc++6']);
  return files.split('\n').filter((file) => /\.so[.\d]*$/.test(file) && !/gconv|gdb/.test(file));
}

async function librariesUsedBy(program: string): Promise<string[]> {
  return (await stdoutOf('ldd', [program])).match(/(?<=\s)\/\S+/g) ?? [];
}
