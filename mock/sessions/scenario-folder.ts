import { randomUUID } from 'node:crypto';
import { constants, statSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stringifyJson, writeYaml } from '#spec';
import type { Shelf } from './preferences/scenarios.ts';

const ENDING = /\.(?:ya?ml|json)$/;

/**
 * The seed files of a folder, each a scenario with its name; changes in the folder apply at once. Links are ignored.
 * @throws RangeError if a file has the folder's name
 */
export function scenarioFolder(folder: string): Shelf {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new RangeError(`option scenarios must be a folder, and ${folder} is a file (fixtures are files)`);

  async function files(): Promise<ReadonlyMap<string, string>> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const names = entries
      .filter((entry) => entry.isFile() && ENDING.test(entry.name))
      .map(({ name }) => name);
    return new Map(names.sort().map((name) => [name.replace(ENDING, ''), join(folder, name)]));
  }

  return {
    names: async () => [...(await files()).keys()],
    async read(name) {
      const path = (await files()).get(name);
      if (path === undefined) return undefined;
      // The file may have become a link since the folder was listed.
      const text = await readFile(path, {
        encoding: 'utf8',
        flag: constants.O_RDONLY | constants.O_NOFOLLOW,
      });
      return { text, uri: relative('', path) };
    },
    async write(name, scenario) {
      await mkdir(folder, { recursive: true });
      const path = (await files()).get(name) ?? join(folder, `${name}.yaml`);
      const text = path.endsWith('.json') ? stringifyJson(scenario, 2) : writeYaml(scenario);
      const stats = await lstat(path).catch(() => undefined);
      if (stats && !stats.isFile())
        return `${relative('', path)} is a link or a folder, and no scenario is written there: remove it, or choose another name`;
      // Written to a new file and renamed, so as never to write through a link created meanwhile.
      const beside = join(folder, `.${randomUUID()}.paddock-new`);
      await writeFile(beside, text, { flag: 'wx' });
      await rename(beside, path);
      return undefined;
    },
    async rename(name, to) {
      const all = await files();
      const path = all.get(name);
      if (path === undefined || all.has(to)) return false;
      const target = join(folder, `${to}${ENDING.exec(path)?.[0]}`);
      if (await lstat(target).catch(() => undefined)) return false;
      await rename(path, target);
      return true;
    },
    async remove(name) {
      const path = (await files()).get(name);
      if (path === undefined) return false;
      await rm(path);
      return true;
    },
  };
}
