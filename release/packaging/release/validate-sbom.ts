import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

/** The published schemas of CycloneDX are part of its library. */
const SCHEMAS = join(
  dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
  'res/schema',
);

const read = (name: string) =>
  JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8'));

/** What of an SBOM does not conform to the schema of its CycloneDX version; empty: it is valid. */
export function validateSbom(sbom: { readonly specVersion: string }): string[] {
  // The schemas are of JSON Schema draft 07, with formats for names beyond ASCII that no package has.
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { 'idn-email': true, 'iri-reference': true },
  });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  formats.default(ajv);
  const validate = ajv.compile(read(`bom-${sbom.specVersion}`));
  if (validate(sbom)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
