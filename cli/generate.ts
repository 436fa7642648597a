import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { configurationSchema, configurationTypes } from '#configuration';
import { KEY_LISTS, X_PADDOCK_SCHEMA } from '#whole-document';
import { vocabularyOf } from './apply-configuration.ts';
import { allCommands } from './program.ts';

/** The type of a configuration file, which git ignores: for the compiler, and for the package. */
export async function writeConfigurationTypes(): Promise<void> {
  const place = placeOf('cli/configuration/paddock-config.ts');
  const commands = await allCommands();
  const text = configurationTypes(vocabularyOf(commands), descriptionsOf(commands));
  // Unchanged files are not written, as another compiler may be reading them.
  if (!existsSync(place) || readFileSync(place, 'utf8') !== text) writeFileSync(place, text);
}

/** The files to commit, by their paths in the clone. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const commands = await allCommands();
  const schema = configurationSchema(vocabularyOf(commands), descriptionsOf(commands));
  return new Map([
    ['paddock.schema.json', `${JSON.stringify(schema, undefined, 2)}\n`],
    ['x-paddock.schema.json', `${JSON.stringify(X_PADDOCK_SCHEMA, undefined, 2)}\n`],
    ['docs/meaning.md', withLists(readFileSync(placeOf('docs/meaning.md'), 'utf8'))],
  ]);
}

/** Replaces the lists between comments that name them. */
function withLists(text: string): string {
  return text.replace(
    /(<!-- (\w+): npm run generate -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => `${begin}${KEY_LISTS[name]}\n${end}`,
  );
}

function placeOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

function descriptionsOf(commands: readonly Command[]): ReadonlyMap<string, string> {
  return new Map(commands.map((command) => [command.name(), command.description()]));
}

/**
 * `npm run generate` writes the JSON Schemas and lists of keys, which are committed. `node cli/generate.ts types` writes
 * the types, which are built on demand.
 */
if (import.meta.main) {
  if (process.argv[2] === 'types') await writeConfigurationTypes();
  else for (const [path, text] of await generatedFiles()) writeFileSync(placeOf(path), text);
}
