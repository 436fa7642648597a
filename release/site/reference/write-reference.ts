import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeConfigurationTypes } from '../../../cli/generate.ts';
import { programFor } from '../../../cli/program.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { REFERENCE, ROOT } from '../places.ts';
import { exportsOf } from './declarations.ts';
import { entryPointPage } from './entry-point-page.ts';
import { schemaPage } from './schema-page.ts';
import { verbPage } from './verb-page.ts';

/**
 * Writes the reference into `docs/reference/`, which git ignores. Its sources are the definitions of the command line,
 * the types of the entry points, and the schemas of report and configuration.
 */
export async function writeReference(): Promise<void> {
  const pages = await referencePages();
  mkdirSync(REFERENCE, { recursive: true });
  for (const file of readdirSync(REFERENCE)) if (!pages.has(file)) rmSync(join(REFERENCE, file));
  // Unchanged pages are not written, so that a server which watches the folder does nothing.
  for (const [file, text] of pages) {
    const place = join(REFERENCE, file);
    if (!existsSync(place) || readFileSync(place, 'utf8') !== text) writeFileSync(place, text);
  }
}

/** The text of each page by file name. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const pages: (readonly [string, string])[] = [
    ...(await verbPages()),
    ...(await entryPointPages()),
    ['report', pageOfSchema('The JSON report', 'report.schema.json')],
    ['configuration', pageOfSchema('The configuration file', 'paddock.schema.json')],
  ];
  return new Map(pages.map(([name, text]) => [`${name}.md`, `${text}\n`]));
}

function pageOfSchema(title: string, file: string): string {
  return schemaPage(title, file, readFileSync(join(ROOT, file), 'utf8'));
}

async function verbPages(): Promise<(readonly [string, string])[]> {
  const { commands } = await withoutVariables(() => programFor());
  return commands.map((command) => [`paddock-${command.name()}`, verbPage(command)]);
}

/** Runs without environment variables: an option that one of them disables would be shown without its variable. */
export async function withoutVariables<Result>(act: () => Promise<Result>): Promise<Result> {
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith('PADDOCK_'));
  for (const [name] of variables) delete process.env[name];
  try {
    return await act();
  } finally {
    Object.assign(process.env, Object.fromEntries(variables));
  }
}

async function entryPointPages(): Promise<(readonly [string, string])[]> {
  return (await declarationsOfEntryPoints()).map(({ path, file, declarations }) => {
    const [summary = ''] = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    return [
      `library-${path.slice(2)}`,
      entryPointPage(`${manifest.name}${path.slice(1)}`, summary, declarations),
    ];
  });
}

/** The exports of each entry point, from the declarations that the package's build creates. */
export async function declarationsOfEntryPoints() {
  await writeConfigurationTypes();
  const folder = mkdtempSync(join(tmpdir(), 'paddock-declarations-'));
  try {
    const project = ['--project', join(ROOT, 'release/packaging/tsconfig.json')];
    execFileSync(process.execPath, [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...project,
      '--emitDeclarationOnly',
      '--outDir',
      folder,
    ]);
    const inFolder = (file: string) => join(folder, file.replace(/\.ts$/, '.d.ts'));
    const locate = (specifier: string) => inFolder(fileOf(specifier));
    return Object.entries(manifest.exports).map(([path, file]) => ({
      path,
      file,
      declarations: exportsOf(inFolder(file), locate),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fileOf(specifier: string): string {
  const file = (manifest.imports as Record<string, string | { default: string }>)[specifier];
  if (file === undefined) throw new Error(`package.json names no file for ${specifier}`);
  return typeof file === 'string' ? file : file.default;
}
