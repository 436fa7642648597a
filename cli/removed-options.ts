import removedOptions from './removed-options.json' with { type: 'json' };
import { UsageError } from './usage-error.ts';

/** An option that verbs no longer have. */
interface RemovedOption {
  readonly verbs: readonly string[];
  /** As it stood on the command line. */
  readonly flag: string;
  /** What to write: an option with its value, or `key: value` of the configuration file; undefined: nothing. */
  readonly instead?: string;
  /** What else is to be known, as the end of a sentence. */
  readonly note: string;
  /** Its variable and its key are those of another verb, or were never any. */
  readonly isFlagAlone?: boolean;
}

/** All options that went; whoever still writes one is told what to write instead. */
const REMOVED_OPTIONS: readonly RemovedOption[] = removedOptions;

/** All verbs that went, and what serves in their place. */
const REMOVED_VERBS: ReadonlyMap<string, string> = new Map([
  [
    'doctor',
    '"paddock check BASE-URL --plan" says what a check would do, and each verb says why it cannot start',
  ],
  ['pact', '"paddock compat OLD NEW --consumer NAME=FILE.har" says which changes touch what a client uses'],
]);

const camelCase = (flag: string) =>
  flag.replace(/^--(?:no-)?/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const variable = (flag: string) => `PADDOCK_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;

/** It went from the command line alone. */
const isKey = ({ instead = '' }: RemovedOption) => /^\w+: /.test(instead);

/** @param write the option to write, where it is to be written */
function sentence(
  name: string,
  { instead, note }: RemovedOption,
  write: (flag: string, value?: string) => string,
): string {
  if (instead === undefined) return `${name} was removed; leave it out: ${note}`;
  const [, flag = '', value] = /^(--[a-z-]+)(?:[ =](.*))?$/.exec(instead) ?? [];
  return `${name} was removed; write ${write(flag, value)}, ${note}`;
}

/**
 * Refuses verbs that went, and options that went, on the command line of a verb and in the environment.
 * @throws UsageError
 */
export function refuseRemovedOptions(
  [verb = '', ...words]: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const inPlace = REMOVED_VERBS.get(verb);
  if (inPlace !== undefined) throw new UsageError(`paddock ${verb} was removed: ${inPlace}`);
  const end = words.indexOf('--');
  const flags = (end < 0 ? words : words.slice(0, end)).map((word) => word.replace(/=.*/s, ''));
  for (const option of REMOVED_OPTIONS.filter(({ verbs }) => verbs.includes(verb))) {
    const { flag, instead = '', note, isFlagAlone } = option;
    if (flags.includes(flag))
      throw new UsageError(
        isKey(option)
          ? `${flag} was removed; write ${instead} in paddock.config.yaml, ${note}, or set ${variable(flag)}`
          : sentence(flag, option, () => instead),
      );
    if (environment[variable(flag)] && !isKey(option) && !isFlagAlone)
      throw new UsageError(
        sentence(variable(flag), option, (name, value = 'true') => `${variable(name)}=${value}`),
      );
  }
}

/** What to write instead of keys of a configuration file that went, by verb and key. */
export const REMOVED_KEYS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  [...Map.groupBy(REMOVED_OPTIONS.flatMap(keysOf), ({ verb }) => verb)].map(([verb, all]) => [
    verb,
    new Map(all.map(({ key, says }) => [key, says])),
  ]),
);

function keysOf(option: RemovedOption) {
  // What only changes its form has its key still.
  if (
    isKey(option) ||
    option.isFlagAlone ||
    camelCase(option.flag) === camelCase(/^--[a-z-]+/.exec(option.instead ?? '')?.[0] ?? '')
  )
    return [];
  const says = sentence('it', option, (name, value = 'true') => `${camelCase(name)}: ${value}`);
  return option.verbs.map((verb) => ({ verb, key: camelCase(option.flag), says }));
}
