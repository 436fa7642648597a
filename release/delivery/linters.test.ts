import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ROOT, run } from '../../quality/testing/command.ts';
import { HEAD, jobsWith } from './testing/component.ts';
import { conforms, linter } from './testing/linters.ts';

/** Validates files in third-party formats with the published schemas. */
const SCHEMAS = linter('check-jsonschema');

const FILES = [
  ['action.yml', 'vendor.github-actions', /^ +using: .*$/m],
  ['examples/docker/compose.yaml', 'vendor.compose-spec', /^services:$/m],
  ['.github/workflows/release.yml', 'vendor.github-workflows', /^jobs:$/m],
  ['.github/workflows/nightly.yml', 'vendor.github-workflows', /^jobs:$/m],
  ['.github/workflows/pull-request.yml', 'vendor.github-workflows', /^jobs:$/m],
] as const;

describe.skipIf(SCHEMAS === undefined)(`by ${SCHEMAS ?? 'check-jsonschema: it is not installed'}`, () => {
  test.each(FILES)('%s conforms to %s', async (file, schema, needed) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const { code, output } = await conforms(schema, text);
    expect({ code, output }).toEqual({ code: 0, output });
    expect(text).toMatch(needed);
    expect((await conforms(schema, text.replace(needed, 'wrong:'))).code).toBe(1);
  });

  test('both documents of the GitLab component conform to vendor.gitlab-ci', async () => {
    for (const part of [HEAD, jobsWith()]) {
      const { code, output } = await conforms('vendor.gitlab-ci', stringify(part));
      expect({ code, output }).toEqual({ code: 0, output });
    }
    const [job] = Object.values(jobsWith());
    expect((await conforms('vendor.gitlab-ci', stringify({ job: { ...job, script: 7 } }))).code).toBe(1);
    const inputs = { document: { type: 'text' } };
    expect((await conforms('vendor.gitlab-ci', stringify({ spec: { inputs } }))).code).toBe(1);
  });
});

const HADOLINT = linter('hadolint');

describe.skipIf(HADOLINT === undefined)(`by ${HADOLINT ?? 'hadolint: it is not installed'}`, () => {
  const lint = (file: string) =>
    run(ROOT, [HADOLINT as string, '--no-color', '--failure-threshold', 'style', file]);

  test('the Dockerfile has no fault', async () => {
    expect(await lint('Dockerfile')).toEqual({ code: 0, output: '' });
    const file = join(mkdtempSync(join(tmpdir(), 'lint-')), 'Dockerfile');
    writeFileSync(
      file,
      readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replace('RUN npm ci', 'RUN cd / && npm ci'),
    );
    expect((await lint(file)).output).toContain('DL3003');
  });
});
