import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const isDocument = (file: string) => /^openapi:/m.test(readFileSync(ROOT + file, 'utf8'));

/** Every OpenAPI document of the project, relative to its root: the shipped one, and those of the tests. */
export const DOCUMENTS = ['spec/openapi.yaml', ...globSync('fixtures/specs/**/*.yaml', { cwd: ROOT })].filter(
  isDocument,
);
