import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeConfigurationTypes } from '../../cli/generate.ts';
import { OLDEST_NODE } from '../../spec/supported-node.ts';
import { buildBrowser } from './build-browser.ts';
import { buildDevtools } from './build-devtools.ts';
import { bundleModules } from './bundle-modules.ts';

/**
 * `npm run build`: builds the package, by default in dist/. It contains JavaScript, since Node strips types in a clone,
 * but never in node_modules.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist'));

/** Files that the package needs besides its code, at the same paths as in the clone. */
const COPIED = [
  'brand/mark.svg',
  'brand/palette.css',
  'spec/openapi.yaml',
  'report.schema.json',
  'paddock.schema.json',
  'x-paddock.schema.json',
  'cli/completion/paddock.bash',
  'cli/completion/paddock.fish',
  'cli/completion/paddock.zsh',
  'CHANGELOG.md',
  'README.md',
  'LICENSE',
];

interface Manifest extends Record<string, unknown> {
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
}

/** Fields that are only used in a clone. */
const OF_THE_CLONE = new Set(['private', 'workspaces', 'scripts', 'devDependencies', 'allowScripts']);

/** The bundles for browsers, from release/packaging/build-browser.ts and build-devtools.ts. */
const BUNDLES: Readonly<Record<string, string>> = {
  './browser': './browser/index.js',
  './devtools': './devtools/index.js',
};

/**
 * The package.json of the package, derived from that of the clone: each `.ts` file becomes the `.js` file built from
 * it, so that both have the same entry points. Replacements of modules for browsers are only in the bundle.
 */
function publishedManifest(text: string): Manifest {
  const clone: Manifest = JSON.parse(text, (_key, value) => {
    if (typeof value === 'string') return value.replace(/^(\.\/.*)\.ts$/, '$1.js');
    return typeof value?.browser === 'string' ? value.default : value;
  });
  const kept = Object.fromEntries(
    Object.entries(clone).filter(([key]) => !OF_THE_CLONE.has(key)),
  ) as Manifest;
  return {
    ...kept,
    engines: { node: `>=${OLDEST_NODE}` },
    exports: { ...kept.exports, ...BUNDLES },
  };
}

/** Files for tests and pictures are not published, and the devtools are bundled. */
const UNPUBLISHED = [
  'console/devtools/**',
  'console/testing/**',
  'console/**/*.test.ts',
  'console/screenshots.ts',
  'console/*.json',
];

/**
 * Copies the console into the package, with its `.ts` files as `.js`. Of the compiler's output for the devtools only
 * the declarations are needed.
 */
function buildConsole(): void {
  mkdirSync(join(OUT, 'devtools'));
  for (const name of DEVTOOLS_TYPES) cpSync(join(OUT, 'console/devtools', name), join(OUT, 'devtools', name));
  rmSync(join(OUT, 'console'), { recursive: true });
  for (const file of globSync('console/**/*.*', { cwd: ROOT, exclude: UNPUBLISHED })) {
    const target = join(OUT, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (/\.(?:ts|html)$/.test(file))
      writeFileSync(target, asPublished(readFileSync(join(ROOT, file), 'utf8'), file));
    else cpSync(join(ROOT, file), target);
  }
}

/** The declarations of the devtools; they need no other file. */
const DEVTOOLS_TYPES = ['index.d.ts', 'options.d.ts'];

function asPublished(text: string, file: string): string {
  if (file.endsWith('.html')) return text.replace(/(?<= src="[^"]+)\.ts(?=")/g, '.js');
  return stripTypeScriptTypes(text).replace(/(?<=\b(?:from |import\()'\.[^']+)\.ts(?=')/g, '.js');
}

/**
 * Replaces subpath imports (`#spec`) in declarations by relative paths: Node resolves package.json's `imports`, but not
 * every tool that reads types does.
 */
function writeRelativeImports(imports: Readonly<Record<string, string>>): void {
  const declarations = readdirSync(OUT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  );
  for (const file of declarations) {
    const text = readFileSync(join(OUT, file), 'utf8');
    const plain = text.replace(/(?<=from '|import '|import\(['"])#[\w-]+(?=['"])/g, (name) => {
      const path = relative(dirname(file), imports[name] as string);
      return `./${path.split(sep).join('/')}`.replace(/^\.\/(?=\.\.)/, '');
    });
    if (plain !== text) writeFileSync(join(OUT, file), plain);
  }
}

await writeConfigurationTypes();
rmSync(OUT, { recursive: true, force: true });
// npm's file in .bin is not executable on Windows.
execFileSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '--project',
    join(ROOT, 'release/packaging/tsconfig.json'),
    '--outDir',
    OUT,
  ],
  { stdio: 'inherit' },
);
buildConsole();
for (const file of COPIED) cpSync(join(ROOT, file), join(OUT, file));
const manifest = publishedManifest(readFileSync(join(ROOT, 'package.json'), 'utf8'));
// Subpath imports are bundled, and relative in declarations, so `imports` is only needed during the build.
const { imports, ...published } = manifest;
writeRelativeImports(imports);
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
const library = Object.values(manifest.exports).filter((file) => !Object.values(BUNDLES).includes(file));
await bundleModules(OUT, ['cli/program.js', ...library.map((file) => file.replace(/^\.\//, ''))]);
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
await buildBrowser(join(OUT, 'browser'));
await buildDevtools(join(OUT, 'devtools'));
writeFileSync(join(OUT, 'browser/index.d.ts'), "export * from '../mock/browser/index.js';\n");
process.stdout.write(`The package is in ${OUT}. A tarball of it: npm pack ${OUT}\n`);
