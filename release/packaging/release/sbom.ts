import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from './execute.ts';
import type { Release } from './release.ts';
import { ReleaseError } from './release-error.ts';
import { validateSbom } from './validate-sbom.ts';

/** Of CycloneDX, what is read and added here. */
interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Sbom {
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Writes what the package installs, and what it contains of others, as CycloneDX. */
export async function writeSbom({ name, tarball, sbom: file }: Release): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    // npm names the package after its folder.
    const folder = join(home, name);
    mkdirSync(folder);
    await outputOf(folder, ['tar', '-xzf', tarball, '--strip-components', '1']);
    const options = ['--omit', 'dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await outputOf(folder, ['npm', 'install', ...options]);
    const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'library', '--omit', 'dev'];
    const installed: Sbom = JSON.parse(await outputOf(folder, ['npm', 'sbom', ...format]));
    const contained = containedIn(folder).filter(
      ({ purl }) => !installed.components.some((component) => component.purl === purl),
    );
    const sbom = withContained(installed, contained);
    const problems = validateSbom(sbom);
    if (problems.length > 0)
      throw new ReleaseError(
        `the SBOM does not conform to CycloneDX ${sbom.specVersion}:\n${problems.join('\n')}`,
        'npm may have a newer version that writes a valid one',
      );
    writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`);
    const { version } = sbom.metadata.component;
    const counts = `${installed.components.length} components and ${contained.length} that are bundled`;
    return `CycloneDX ${sbom.specVersion} of ${name} ${version}: ${counts}; valid`;
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Code of other packages that the package has copies of: the bundle for browsers, and the renderer of the reference. */
function containedIn(folder: string): Component[] {
  const licences = readFileSync(join(folder, 'browser/licences.txt'), 'utf8');
  const bundled = [...licences.matchAll(/(?:^|\n---\n\n)(\S+) (\d\S*) \((\S+)\)\n/g)].map(
    ([, name = '', version = '', license = '']) => component({ name, version, license }, 'browser/'),
  );
  if (bundled.length === 0) throw new Error('browser/licences.txt names no package');
  const renderer = createRequire(import.meta.url)('swagger-ui-dist/package.json');
  return [...bundled, component(renderer, 'console/library/')];
}

/** The package depends on all of it. */
function withContained({ components, dependencies, ...sbom }: Sbom, contained: readonly Component[]): Sbom {
  const refs = contained.map((one) => one['bom-ref']);
  const own = dependencies.map(({ ref, dependsOn = [] }) => {
    return {
      ref,
      dependsOn: ref === sbom.metadata.component['bom-ref'] ? [...dependsOn, ...refs] : dependsOn,
    };
  });
  return {
    ...sbom,
    components: [...components, ...contained],
    dependencies: [...own, ...refs.map((ref) => ({ ref }))],
  };
}

interface Contained {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

function component({ name, version, license }: Contained, place: string): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    ...{ 'bom-ref': purl, type: 'library', name, version, purl },
    licenses: [{ license: { id: license } }],
    properties: [{ name: 'openapi-paddock:bundled-in', value: place }],
  };
}
