import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install } from '../services/install.ts';
import { ROOT, run } from '../testing/command.ts';
import type { Recording } from './recordings.ts';

interface Written {
  readonly file: string;
  /** The exit code, where the program has failed and written a part. */
  readonly code: number;
}

/** A program that writes a document of a HAR. */
export interface Learner {
  readonly name: string;
  /** @returns what {@link learn} needs to find it */
  install(cache: string): Promise<string>;
  /** Writes a document of the recording into the folder. */
  learn(recording: Recording, folder: string, installed: string): Promise<Written>;
}

const LIMIT_MS = 300_000;

async function must(folder: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { code, output } = await run(folder, command, env, LIMIT_MS);
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${output.slice(-500)}`);
}

const PADDOCK: Learner = {
  name: 'paddock learn',
  install: async () => join(ROOT, 'cli/paddock.js'),
  async learn({ har, url }, folder, program) {
    const file = join(folder, 'paddock.yaml');
    await must(ROOT, [process.execPath, program, 'learn', har, '--base-url', url, '--output', file]);
    return { file, code: 0 };
  },
};

/** It is run twice: paths of the first run are marked as ignored, and a person deletes the mark of those that are wanted. */
const MITMPROXY2SWAGGER: Learner = {
  name: 'mitmproxy2swagger 0.14.0',
  async install(cache) {
    const folder = join(cache, 'mitmproxy2swagger');
    await install({ pip: ['mitmproxy2swagger==0.14.0'] }, folder);
    return join(folder, 'venv/bin/mitmproxy2swagger');
  },
  async learn({ har, url }, folder, program) {
    const file = join(folder, 'mitmproxy2swagger.yaml');
    const command = [program, '-i', har, '-o', file, '-p', url, '-f', 'har', '--examples', '--headers', '-s'];
    await must(folder, command);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('ignore:', ''));
    await must(folder, command);
    return { file, code: 0 };
  },
};

/** Its own dependencies need an older ajv than npm gives them today. */
const OPTIC_PACKAGE = {
  private: true,
  dependencies: { '@useoptic/optic': '1.0.9' },
  overrides: {
    '@stoplight/spectral-core': { ajv: '8.12.0' },
    '@stoplight/spectral-functions': { ajv: '8.12.0' },
  },
};

const OPTIC: Learner = {
  name: 'Optic 1.0.9',
  async install(cache) {
    const folder = join(cache, 'optic');
    const program = join(folder, 'node_modules/@useoptic/optic/build/index.js');
    if (!existsSync(program)) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'package.json'), JSON.stringify(OPTIC_PACKAGE));
      await must(folder, ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund']);
    }
    return program;
  },
  async learn({ har, url }, folder, program) {
    const own = join(folder, 'optic');
    await mkdir(own);
    await must(own, ['git', 'init', '--quiet']);
    const file = join(own, 'optic.yaml');
    const begin = {
      openapi: '3.0.3',
      info: { title: 'Learned', version: '1' },
      servers: [{ url }],
      paths: {},
    };
    await writeFile(file, JSON.stringify(begin));
    const command = [process.execPath, program, 'capture', file, '--har', har, '--update', 'automatic'];
    const { code } = await run(own, command, { OPTIC_TELEMETRY_LEVEL: 'off', CI: 'true' }, LIMIT_MS);
    return { file, code };
  },
};

export const LEARNERS: readonly Learner[] = [PADDOCK, MITMPROXY2SWAGGER, OPTIC];
