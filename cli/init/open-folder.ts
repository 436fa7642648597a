import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { replaceFile } from '#whole-file';
import { UsageError } from '../usage-error.ts';
import type { Answers } from './answers.ts';
import { configText } from './config-text.ts';
import { addScripts } from './package-scripts.ts';

const FILE = 'paddock.config.yaml';
const MANIFEST = 'package.json';
const PACKAGE = 'node_modules/openapi-paddock';

/** The folder that gets a configuration file. */
export interface Folder {
  readonly path: string;
  readonly hasManifest: boolean;
  /** Writes the files, and tells what was done. @throws UsageError for a file that cannot be written */
  write(answers: Answers, port: number): Promise<string[]>;
}

/** @throws UsageError where a configuration file is there already, unless it is to be replaced */
export async function openFolder(path: string, force: boolean): Promise<Folder> {
  const names = await readdir(path);
  const there = names.filter((name) => /^paddock\.config\.(?:ya?ml|json|ts)$/.test(name));
  const other = there.find((name) => name !== FILE);
  if (other !== undefined)
    throw new UsageError(
      `${other} is there already, and a folder has one configuration file: remove it first`,
    );
  if (there.length > 0 && !force) throw new UsageError(`${FILE} is there already; --force overwrites it`);
  return {
    path,
    hasManifest: names.includes(MANIFEST),
    async write(answers, port) {
      // Read first: nothing is written where one of both cannot be.
      const installed = packageFrom(path);
      const edited = answers.scripts
        ? await readScripts(join(path, MANIFEST), installed !== undefined)
        : undefined;
      const schema = `${installed ?? `./${PACKAGE}`}/paddock.schema.json`;
      await written(join(path, FILE), configText(answers, { schema, port }), force);
      const told = [`${FILE} is ${there.length > 0 ? 'overwritten' : 'written'}`];
      if (!edited) return told;
      if (edited.added.length > 0) await written(join(path, MANIFEST), edited.text, true);
      if (edited.added.length > 0) told.push(`${MANIFEST} has the scripts ${edited.added.join(' and ')}`);
      if (edited.kept.length > 0)
        told.push(`${MANIFEST} has another script ${edited.kept.join(' and ')}, which stays`);
      return told;
    },
  };
}

async function readScripts(file: string, isInstalled: boolean) {
  try {
    return addScripts(await readFile(file, 'utf8'), isInstalled);
  } catch (error) {
    throw new UsageError(`${MANIFEST}: ${(error as Error).message}; nothing has been written`);
  }
}

/** As a whole or not at all. */
async function written(file: string, text: string, replace: boolean): Promise<void> {
  try {
    if (!replace) return await writeFile(file, text, { flag: 'wx' });
    replaceFile(file, text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The package in the nearest folder of packages that has it, from a folder; undefined: it is not installed. */
function packageFrom(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, PACKAGE)))
      return `./${relative(folder, join(at, PACKAGE)).split(sep).join('/')}`.replace('./../', '../');
    if (dirname(at) === at) return undefined;
  }
}
