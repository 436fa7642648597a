import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { configurationSchema, schemaTypes } from '#configuration';
import { vocabularyOf } from './apply-configuration.ts';
import { rowOf } from './options.ts';
import { allCommands } from './program.ts';

/** The type of a configuration file, which git ignores: for the compiler, and for the package. */
export async function writeConfigurationTypes(): Promise<void> {
  const place = placeOf('cli/configuration/paddock-config.ts');
  const commands = await allCommands();
  const text = schemaTypes(schemaOf(commands), vocabularyOf(commands));
  // A compiler that runs beside this one reads a whole file.
  if (!existsSync(place) || readFileSync(place, 'utf8') !== text) writeFileSync(place, text);
}

/** The files that are kept, by their paths in the clone. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const commands = await allCommands();
  const pages = commands
    .map((command) => [`docs/${command.name()}.md`, command] as const)
    .filter(([path]) => existsSync(placeOf(path)));
  return new Map([
    ['paddock.schema.json', `${JSON.stringify(schemaOf(commands), undefined, 2)}\n`],
    ...pages.map(([path, command]) => [path, withTable(path, command)] as const),
  ]);
}

function placeOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

function schemaOf(commands: readonly Command[]) {
  const descriptions = new Map(commands.map((command) => [command.name(), command.description()]));
  return configurationSchema(vocabularyOf(commands), descriptions);
}

const [BEGIN, END] = ['<!-- Options: npm run generate -->\n', '<!-- End of options -->\n'];

/** The page of a verb with the table of its options between its two marks. */
function withTable(path: string, { options }: Command): string {
  const text = readFileSync(placeOf(path), 'utf8');
  const [before, rest] = text.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${path} has no place for its options`);
  const rows = options.map((option) => cellsOf(option, path));
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = [['option', 'default', 'meaning'], widths.map((width) => '-'.repeat(width)), ...rows].map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`,
  );
  lines[1] = `| ${[...widths, 7].map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return `${before}${BEGIN}\n${lines.join('')}\n${END}${after}`;
}

function cellsOf(option: Option, path: string): string[] {
  const { flags, help, defaultText, isList, see, ...row } = rowOf(option);
  const usual = row.default === undefined ? '' : `\`${row.default}\``;
  const more = see === undefined ? '' : ` ([more](${see.replace(path.replace('docs/', ''), '')}))`;
  return [
    `\`${flags}\``,
    defaultText ?? (usual || (option.required ? '' : 'off')),
    `${help}${isList ? ' (repeatable)' : ''}${more}`,
  ].map((cell) => cell.replaceAll('|', '\\|'));
}

/**
 * `npm run generate`: writes what follows from the tables of the options, and is kept: the JSON Schema of the configuration
 * file, and the tables of the documentation. `node cli/generate.ts types` writes what is built when it is needed.
 */
if (import.meta.main) {
  if (process.argv[2] === 'types') await writeConfigurationTypes();
  else for (const [path, text] of await generatedFiles()) writeFileSync(placeOf(path), text);
}
