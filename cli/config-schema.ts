import { configurationSchema, schemaTypes } from '#configuration';
import { vocabularyOf } from './apply-configuration.ts';
import { allCommands } from './program.ts';

/** The files that follow from the definitions of the command line, by their paths in the clone. */
export async function configSchemaFiles(): Promise<ReadonlyMap<string, string>> {
  const commands = await allCommands();
  const descriptions = new Map(commands.map((command) => [command.name(), command.description()]));
  const schema = configurationSchema(vocabularyOf(commands), descriptions);
  return new Map([
    ['paddock.schema.json', `${JSON.stringify(schema, undefined, 2)}\n`],
    ['cli/configuration/paddock-config.ts', schemaTypes(schema)],
  ]);
}
