import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { ROOT, run } from '../../../quality/testing/command.ts';
import { builtPackage, link } from './project.ts';

/**
 * examples/msw-vite as a user has it, built with the package that is published.
 * @param msw the `node_modules` with MSW
 * @param worker a command that makes the file of MSW's service worker; without one MSW's plugin for Vite does
 * @returns the folder of its pages
 */
export async function buildExample(msw: string, worker?: string): Promise<string> {
  const folder = await copyExample(msw);
  if (worker !== undefined) {
    await rm(join(folder, 'vite.config.js'));
    const PATH = [join(msw, '.bin'), process.env.PATH].join(delimiter);
    expect(await run(folder, ['sh', '-c', worker], { PATH })).toMatchObject({ code: 0 });
  }
  const { code, output } = await run(folder, ['vite', 'build'], OF_USERS);
  expect(output).toContain('built in');
  expect(code).toBe(0);
  return join(folder, 'dist');
}

/** Not that of a test: Vite would take the build for one of development. */
export const OF_USERS = { NODE_ENV: undefined };

/** The same before anything is built: a folder with what its package.json names. */
export async function copyExample(msw: string): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'example-')), 'msw-vite');
  const isSource = (path: string) => !/\/(?:node_modules|dist)$/.test(path);
  await cp(join(ROOT, 'examples/msw-vite'), folder, { recursive: true, filter: isSource });
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await link(join(ROOT, 'node_modules'), folder, 'vite');
  await link(msw, folder, 'msw');
  await cp((await builtPackage()).built, join(modules, 'openapi-paddock'), { recursive: true });
  return folder;
}
