import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const isDocument = (file: string) => /^openapi:/m.test(readFileSync(ROOT + file, 'utf8'));

/** All OpenAPI documents of the project by relative path: the shipped one, and those of tests. */
export const DOCUMENTS = ['spec/openapi.yaml', ...globSync('fixtures/specs/**/*.yaml', { cwd: ROOT })].filter(
  isDocument,
);
