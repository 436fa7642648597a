import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../../quality/testing/command.ts';
import { installTools } from '../../quality/testing/temporary-tools.ts';
import { installFromTarball, link } from './testing/project.ts';

/** Skipped where the npm registry cannot be reached. examples/react-vitest as a user has it, with the package that is published. */
const TOOLS = [
  '@testing-library/dom@10.4.2',
  '@testing-library/react@16.3.3',
  'happy-dom@21.0.4',
  'vitest@5.1.1',
];
const tools = await installTools('react', [...TOOLS, 'react@19.3.1', 'react-dom@19.3.1']);

test.skipIf(tools === undefined)("the unit tests of the example's component pass", async () => {
  const { folder } = await installFromTarball();
  await cp(join(ROOT, 'examples/react-vitest'), folder, { recursive: true });
  const names = [...TOOLS, 'react@', 'react-dom@'].map((tool) => tool.replace(/(?<!^)@.*$/, ''));
  await link(tools as string, folder, ...names);
  const { code, output } = await run(folder, [join(tools as string, '.bin/vitest'), 'run', '--root', folder]);
  expect(output).toMatch(/Tests +4 passed/);
  expect(code).toBe(0);
});
