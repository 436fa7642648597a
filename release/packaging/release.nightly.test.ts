import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../../quality/testing/command.ts';
import { makeFiles, planRelease } from './release.ts';

test('a release has a tarball, an SBOM of all that it installs and contains, checksums and notes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const release = planRelease(ROOT, folder);
  makeFiles(release);
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(release.sbom, 'utf8'));
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', release.name]);
  const names: string[] = components.map(({ name }: { name: string }) => name);
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const licences = readFileSync(join(folder, 'package/browser/licences.txt'), 'utf8');
  const bundled = [...licences.matchAll(/(?:^|\n---\n\n)(\S+) \d\S* \(\S+\)\n/g)].map(([, name]) => name);
  expect(bundled.length).toBeGreaterThan(5);
  const contained = [...Object.keys(packages[''].dependencies), ...bundled];
  expect(names).toEqual(expect.arrayContaining(contained));
  // A package may be there in two versions.
  const exact = components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`);
  expect(new Set(exact).size).toBe(names.length);
  expect(names).not.toContain('vitest');

  expect(await run(folder, ['sha256sum', '--check', '--strict', 'SHA256SUMS'])).toMatchObject({ code: 0 });
  const listed = await run(folder, ['tar', '-tzf', release.tarball]);
  expect(listed.output.split('\n')).toContain('package/CHANGELOG.md');
  const [, section = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## \[\d.*\n/m);
  expect(section).toContain(readFileSync(join(folder, 'release-notes.md'), 'utf8').trim());
});
