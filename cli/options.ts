import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from './usage-error.ts';

/** An option with the environment variable of the same name: `--api-key` is PADDOCK_API_KEY. Empty is not set. */
export function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  const variable = `PADDOCK_${made.name().toUpperCase().replaceAll('-', '_')}`;
  const value = process.env[variable];
  return value === '' || (made.isBoolean() && isOff(value)) ? made : made.env(variable);
}

/** Commander takes a flag's variable as set whatever it holds; people write 0 and false to switch it off. */
function isOff(value = ''): boolean {
  return /^(?:0|false|no|off)$/i.test(value);
}

/** An option that may be given again; its environment variable holds the values between commas. */
export function repeatable(flags: string, description: string): Option {
  return option(flags, description).argParser((value: string, earlier: string[] = []) => [...earlier, value]);
}

/** Both verbs read a document. */
export function allowRefs(): Option {
  return repeatable(
    '--allow-refs <place>',
    "a folder, file or URL beyond the document's own folder or host that its $refs may name (again for more)",
  );
}

/** The values of a {@link repeatable} option. */
export function valuesOf(command: Command, name: string): string[] {
  const values = (command.getOptionValue(name) as string[] | undefined) ?? [];
  return command.getOptionValueSource(name) === 'env' ? values.flatMap((text) => text.split(',')) : values;
}

/** `name=value`; the value may hold further signs. @throws UsageError */
export function parsePair(name: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${name}: "${text}" is not of the form name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Parses a whole number within bounds. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
  };
}

/** Lines below the options of `--help`. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** The document that ships with the package. */
export const SHIPPED_DOCUMENT = new URL('../spec/openapi.yaml', import.meta.url);
