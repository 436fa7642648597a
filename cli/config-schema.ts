import { configurationSchema } from '#configuration';
import { allCommands } from './program.ts';
import { vocabularyOf } from './vocabulary.ts';

/** The text of `paddock.schema.json`, from the definitions of the command line. */
export async function configSchemaText(): Promise<string> {
  const commands = await allCommands();
  const descriptions = new Map(commands.map((command) => [command.name(), command.description()]));
  return `${JSON.stringify(configurationSchema(vocabularyOf(commands), descriptions), undefined, 2)}\n`;
}
