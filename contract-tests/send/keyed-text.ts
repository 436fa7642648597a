/** A text that may hold a credential, and the same text for a POSIX shell that reads it from its environment. */
export interface KeyedText {
  readonly text: string;
  /** To stand between double quotes. */
  readonly shell: string;
}

/** The environment variable of a scheme's credential: `PADDOCK_CREDENTIAL_PET_STORE` for `pet-store`. */
export function variableOf(scheme: string): string {
  return `PADDOCK_CREDENTIAL_${scheme.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/** A secret header as its user sets it: `$PADDOCK_HEADER_X_API_KEY` for `X-Api-Key`. */
export function headerVariable(name: string, value: string): KeyedText {
  return { text: value, shell: `$PADDOCK_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}` };
}

export function literalText(text: string): KeyedText {
  return { text, shell: text.replace(/[\\"$`]/g, '\\$&') };
}

/** @param variable the environment variable that holds it */
export function theKey(key: string, variable = 'PADDOCK_API_KEY'): KeyedText {
  return { text: key, shell: `$${variable}` };
}

/** A template literal over keyed texts; no letter, digit or underscore may follow a variable. */
export function keyed(strings: TemplateStringsArray, ...values: readonly KeyedText[]): KeyedText {
  return joinKeyed(
    strings.flatMap((text, index) => [literalText(text), ...values.slice(index, index + 1)]),
    '',
  );
}

export function joinKeyed(parts: readonly KeyedText[], separator: string): KeyedText {
  return {
    text: parts.map(({ text }) => text).join(separator),
    shell: parts.map(({ shell }) => shell).join(separator),
  };
}

/** Base64 (RFC 4648 §4); `base64` of GNU breaks its lines. */
export function base64Of({ text, shell }: KeyedText): KeyedText {
  return {
    text: Buffer.from(text).toString('base64'),
    shell: `$(printf %s "${shell}" | base64 | tr -d '\\n')`,
  };
}
