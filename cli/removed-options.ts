import { UsageError } from './usage-error.ts';

/** An option that verbs no longer have. */
interface RemovedOption {
  readonly verbs: readonly string[];
  /** As it stood on the command line. */
  readonly flag: string;
  /** What to write: an option with its value, or `key: value` of the configuration file; undefined: nothing. */
  readonly instead: string | undefined;
  /** What else is to be known, as the end of a sentence. */
  readonly note: string;
  /** Its variable and its key are those of another verb, or were never any. */
  readonly isFlagAlone: boolean;
}

/**
 * All options that went; whoever still writes one is told what to write instead: the verbs, the flag, what is written in its
 * place, and what else is to be known. `alone` marks a flag whose variable and key are those of another verb, or were never any.
 */
const TABLE = `
check | --probe-key | --disposable | which is for a target that may be broken: it also calls all operations, and sends writes in parallel
check | --no-races | - | races are sent only with --disposable
check | --opinion | - | Prism's proxy judges a service by itself
check proxy judge compat | --strict-stability | --strict stability | which may be given several times
check proxy judge | --strict-statuses | --strict statuses | which may be given several times
check proxy judge | --strict-cells | --strict cells | which may be given several times
check | --known-update | --accept | which writes the causes of this run into the file of --known
check proxy judge | --baseline | --known FILE | a list of the causes that are accepted: what is new alone decides the verdict
check proxy judge | --new-only | --known FILE | a list of the causes that are accepted: what is new alone decides the verdict
check | --callback-port | --callback-url URL,PORT | the port of this machine to which a tunnel passes on what comes to the URL
check proxy | --client-key | --client-cert FILE | which is repeatable: the certificate and its key, in one file or in two
mock proxy | --key | --cert FILE | which is repeatable: the certificate and its key, in one file or in two
check | --obtain alone | --credential 'NAME={...}' | which takes the same; in a configuration file it is credentials
check proxy judge | --skip | --only '!REGEXP' | where ! before the expression leaves out what matches
mock check proxy judge compat learn | --no-config | --config none | which is the same
check | --api-key-file | apiKeyFile: FILE | below check, or below the target that needs it
check | --timeout | timeout: MS | below check, or below the target that needs it
check | --retries | retries: N | below check, or below the target that needs it
check | --jobs | jobs: N | below check, or below the target that needs it
check | --stateless | stateless: true | below check, or below the target that needs it
check | --provoke | provoke: FILE | below check, or below the target that needs it
check compat | --examples | examples: N | below the verb
compat | --deprecation-days | deprecationDays: N | below compat
mock | --upstream-timeout | upstreamTimeout: MS | below mock
mock | --relate | relate: { MEMBER: COLLECTION } | below mock
mock | --compare-with | - | "paddock compat OLD NEW" says what a changed document breaks
mock | --callback-hosts | --allow-host HOST | which is the same
mock | --trace | - | a request with the header Paddock-Trace: 1 gets the reason of its response
mock proxy judge | --consumer alone | - | "paddock compat OLD NEW --consumer NAME=FILE.har" reads recorded traffic
mock | --examples-first | - | collections begin with the examples of the document where a path of it names one
mock | --no-examples-first | - | collections begin with the examples of the document where a path of it names one
mock | --no-log | --log quiet | which is the same
mock | --replica | - | a mock is named by its host and process
proxy | --max-judged | --sample PERCENT | which judges a part of the exchanges
judge | --workers | - | one thread judges 300 MB in a minute
learn | --interactive | - | --minimum chooses, and what is written can be edited
compat | --format | --report changelog=- | which is Markdown for those who use the API
compat | --severity | --known FILE | a list of the breaking changes that are accepted until a day
compat | --consumers-only | - | --consumer says which breaks touch a client, and shows them first
`;

const REMOVED_OPTIONS: readonly RemovedOption[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [verbs = '', flag = '', instead, note = ''] = row.split(' | ');
    return {
      verbs: verbs.split(' '),
      flag: flag.replace(' alone', ''),
      instead: instead === '-' ? undefined : instead,
      note,
      isFlagAlone: flag.endsWith(' alone'),
    };
  });

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
