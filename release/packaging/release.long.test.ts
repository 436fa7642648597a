import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { ROOT, run } from '../../quality/testing/command.ts';
import { installTools } from '../../quality/testing/temporary-tools.ts';
import { makeFiles, planRelease } from './release.ts';

/** The published schemas of CycloneDX are part of its library. Undefined: the registry cannot be reached. */
const modules = await installTools('sbom', ['@cyclonedx/cyclonedx-library@10.3.0']);
const schema = (name: string) => {
  const file = `@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`;
  return JSON.parse(readFileSync(join(modules as string, file), 'utf8'));
};

/** What of an SBOM does not conform to the schema of its CycloneDX version. */
function problemsOf(sbom: { readonly specVersion: string }): unknown {
  // The schemas are of JSON Schema draft 07, with formats for names beyond ASCII that no package has.
  const ajv = new Ajv({ strict: false, formats: { 'idn-email': true, 'iri-reference': true } });
  formats.default(ajv);
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema(`bom-${sbom.specVersion}`));
  return validate(sbom) ? [] : validate.errors;
}

test.skipIf(modules === undefined)(
  'a release has a tarball, an SBOM, checksums and notes',
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'release-'));
    const release = planRelease(ROOT, folder);
    makeFiles(release);
    const sbom = JSON.parse(readFileSync(release.sbom, 'utf8'));
    expect(problemsOf(sbom)).toEqual([]);
    expect(problemsOf({ ...sbom, components: [{ name: 'ajv' }] })).not.toEqual([]);

    const { metadata, components, dependencies } = sbom;
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
    const [, section = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## \[\d.*\n/m);
    expect(section).toContain(readFileSync(join(folder, 'release-notes.md'), 'utf8').trim());
  },
);
