import { allCommands } from '../../../cli/program.ts';
import configurationSchema from '../../../paddock.schema.json' with { type: 'json' };
import { nameOf } from './entries.ts';

type Entry = readonly [name: string, form: string];

/** What a configuration file may hold beside the options, whose keys follow from their names. */
export async function configurationEntries(): Promise<Entry[]> {
  const commands = await allCommands();
  const options = new Set(commands.flatMap(({ options }) => options.map((option) => option.attributeName())));
  const { definitions, ...root } = configurationSchema;
  return [...keysIn(root, ['configuration']), ...keysIn(definitions.target, ['configuration', 'targets'])];

  function keysIn(schema: object, place: readonly string[]): Entry[] {
    const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, object>> };
    const keys = Object.entries(properties).filter(([key]) => !options.has(key) && key !== '$schema');
    return keys.flatMap(([key, inside]) => [
      [nameOf(...place, key), ''] as const,
      ...keysIn(inside, [...place, key]),
    ]);
  }
}
