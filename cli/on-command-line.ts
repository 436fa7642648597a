import type { SettingsError } from '#contract-tests';

/** What the library calls `option maxCreates` is `--max-creates` here. */
export function onCommandLine({ option, message }: SettingsError): string {
  if (option === undefined) return message;
  const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (option === 'credentials')
    return message.replace(`option ${option}`, '--credential (or PADDOCK_CREDENTIAL_NAME)');
  return message
    .replace(`option ${option}`, () => flagOf(option))
    .replace(/\((client[A-Z][a-z]+)\)/, (_, name: string) => `(${flagOf(name)})`);
}
