import { nameOf } from './entries.ts';

/** The keywords of a JSON Schema that say what a value may be; descriptions and bounds are not relied on. */
interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** The members that a JSON Schema describes, by their paths, and the values of each enumeration. */
export function schemaEntries(what: string, root: Schema): (readonly [name: string, form: string])[] {
  return membersOf(root, [what]);

  function membersOf(given: Schema, path: readonly string[]): (readonly [string, string])[] {
    const schema = resolve(given);
    if (schema.items) return membersOf(schema.items, [...path.slice(0, -1), `${path.at(-1)}[]`]);
    return Object.entries(schema.properties ?? {}).flatMap(([member, described]) => {
      const place = [...path, member];
      const form = `${typeOf(described)}${schema.required?.includes(member) ? ', always' : ''}`;
      const values = valuesOf(described).map((value): [string, string] => [nameOf(...place, value), '']);
      return [[nameOf(...place), form], ...values, ...membersOf(described, place)];
    });
  }

  function resolve({ $ref, ...schema }: Schema): Schema {
    const name = $ref?.replace('#/$defs/', '');
    return name === undefined ? schema : { ...root.$defs?.[name], ...schema };
  }

  function typeOf(given: Schema): string {
    const { type, items, ...schema } = resolve(given);
    if (schema.enum) return 'one of';
    return items ? `array of ${typeOf(items)}` : [type ?? 'any'].flat().join(' or ');
  }

  function valuesOf(given: Schema): string[] {
    const { enum: values = [], items } = resolve(given);
    return items ? valuesOf(items) : values.map(String);
  }
}
