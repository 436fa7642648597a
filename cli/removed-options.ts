import removedOptions from './removed-options.json' with { type: 'json' };
import { UsageError } from './usage-error.ts';

/** A removed option of some verbs. */
interface RemovedOption {
  readonly verbs: readonly string[];
  /** Its flag on the command line. */
  readonly flag: string;
  /** Its replacement: an option with its value, or `key: value` of the configuration file. Undefined: none. */
  readonly instead?: string;
  /** Further information, as the end of a sentence. */
  readonly note: string;
  /** Its variable and key belong to another verb, or never existed. */
  readonly isFlagAlone?: boolean;
}

/** All removed options, for messages with their replacements. */
const REMOVED_OPTIONS: readonly RemovedOption[] = removedOptions;

/** All removed verbs, and their replacements. */
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

/** Only the command line lost it. */
const isKey = ({ instead = '' }: RemovedOption) => /^\w+: /.test(instead);

/** @param write the option to write, if it has a replacement */
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
 * Refuses removed verbs, and removed options on the command line and in the environment.
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

/** The replacements of removed configuration keys, by verb and key. */
export const REMOVED_KEYS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  [...Map.groupBy(REMOVED_OPTIONS.flatMap(keysOf), ({ verb }) => verb)].map(([verb, all]) => [
    verb,
    new Map(all.map(({ key, says }) => [key, says])),
  ]),
);

function keysOf(option: RemovedOption) {
  // An option with another form still has its key.
  if (
    isKey(option) ||
    option.isFlagAlone ||
    camelCase(option.flag) === camelCase(/^--[a-z-]+/.exec(option.instead ?? '')?.[0] ?? '')
  )
    return [];
  const says = sentence('it', option, (name, value = 'true') => `${camelCase(name)}: ${value}`);
  return option.verbs.map((verb) => ({ verb, key: camelCase(option.flag), says }));
}
