import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../../../quality/testing/command.ts';
import { planRelease } from './release.ts';
import { runSteps } from './run-steps.ts';
import { STEPS } from './steps.ts';

/** The files of a release, made of this clone. What a clone between two releases may lack is left out. */
const MAKING = ['build', 'pack', 'SBOM', 'checksums', 'what is published'];

test('a dry run makes tarball, SBOM and checksums', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const release = planRelease(ROOT, true, {}, folder);
  let said = '';
  const steps = STEPS.filter(({ title }) => MAKING.includes(title));
  expect(steps).toHaveLength(MAKING.length);
  const succeeded = await runSteps(steps, release, (text) => {
    said += text;
  });
  expect(said).not.toContain('✗');
  expect(succeeded).toBe(true);
  expect(said).toContain(`${release.name}@${release.version}, public: `);

  const { metadata, components, dependencies } = JSON.parse(readFileSync(release.sbom, 'utf8'));
  expect([metadata.component.name, metadata.component.version]).toEqual([release.name, release.version]);
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const names: string[] = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(lock.packages[''].dependencies)));
  expect(names).toContain('swagger-ui-dist');
  expect(names).not.toContain('vitest');
  const refs = [metadata.component, ...components].map((component) => component['bom-ref']);
  expect(new Set(dependencies.map(({ ref }: { ref: string }) => ref))).toEqual(new Set(refs));

  expect(await run(folder, ['sha256sum', '--check', '--strict', 'SHA256SUMS'])).toMatchObject({ code: 0 });
  const listed = await run(folder, ['tar', '-tzf', release.tarball]);
  expect(listed.output.split('\n')).toContain('package/CHANGELOG.md');
});
