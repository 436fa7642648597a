import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMock, type Mock } from '#mock';
import { ROOT } from '../../../quality/testing/command.ts';

const page = await readFile(join(ROOT, 'docs/recipes.md'), 'utf8');

/** The files of docs/recipes.md by their names. */
export const RECIPES: ReadonlyMap<string, string> = new Map(
  [...page.matchAll(/^```[jt]s\n\/\/ (\S+)\n(.*?)^```/gms)].map(([, name = '', text = '']) => [name, text]),
);

/** Writes files of the page into a folder. */
export async function putRecipes(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, RECIPES.get(name) ?? '');
  }
}

/** A mock of the Pet Store on a port, until the test ends. */
export async function openPetStore(): Promise<Mock> {
  const mock = await createMock({ document: join(ROOT, 'spec/openapi.yaml'), port: 0 });
  onTestFinished(() => mock.close());
  return mock;
}
