import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT, run } from '../../../quality/testing/command.ts';
import { builtPackage } from './project.ts';

/**
 * examples/msw-vite as a user has it, built with the package that is published.
 * @param worker a command that makes the file of MSW's service worker; without one MSW's plugin for Vite does
 * @returns the folder of its pages
 */
export async function buildExample(worker?: string): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'example-')), 'msw-vite');
  const isSource = (path: string) => !/\/(?:node_modules|dist)$/.test(path);
  await cp(join(ROOT, 'examples/msw-vite'), folder, { recursive: true, filter: isSource });
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of ['msw', 'vite']) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  await cp((await builtPackage()).built, join(modules, 'openapi-paddock'), { recursive: true });
  if (worker !== undefined) {
    await rm(join(folder, 'vite.config.js'));
    expect(await run(folder, ['sh', '-c', worker])).toMatchObject({ code: 0 });
  }
  const { code, output } = await run(folder, ['vite', 'build']);
  expect(output).toContain('built in');
  expect(code).toBe(0);
  return join(folder, 'dist');
}
