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
  readonly isFlagAlone?: true;
}

const JUDGING = ['check', 'proxy', 'judge'];
const ACCEPTED = 'a list of the causes that are accepted: what is new alone decides the verdict';
const EXCLUDES = 'where ! before the expression leaves out what matches';
const TOGETHER = 'which is repeatable: the certificate and its key, in one file or in two';
const OF_TARGET = 'below check, or below the target that needs it';

/** All options that went; whoever still writes one is told what to write instead. */
const REMOVED_OPTIONS: readonly RemovedOption[] = [
  {
    verbs: ['check'],
    flag: '--probe-key',
    instead: '--disposable',
    note: 'which is for a target that may be broken: it also calls all operations, and sends writes in parallel',
  },
  { verbs: ['check'], flag: '--no-races', note: 'races are sent only with --disposable' },
  { verbs: ['check'], flag: '--opinion', note: "Prism's proxy and Dredd judge a service by themselves" },
  ...['stability', 'statuses', 'cells'].map((part) => ({
    verbs: part === 'stability' ? [...JUDGING, 'compat'] : JUDGING,
    flag: `--strict-${part}`,
    instead: `--strict ${part}`,
    note: 'which may be given several times',
  })),
  {
    verbs: ['check'],
    flag: '--known-update',
    instead: '--accept',
    note: 'which writes the causes of this run into the file of --known',
  },
  { verbs: JUDGING, flag: '--baseline', instead: '--known FILE', note: ACCEPTED },
  { verbs: JUDGING, flag: '--new-only', instead: '--known FILE', note: ACCEPTED },
  {
    verbs: ['check'],
    flag: '--callback-port',
    instead: '--callback-url URL,PORT',
    note: 'the port of this machine to which a tunnel passes on what comes to the URL',
  },
  { verbs: ['check', 'proxy'], flag: '--client-key', instead: '--client-cert FILE', note: TOGETHER },
  { verbs: ['mock', 'proxy'], flag: '--key', instead: '--cert FILE', note: TOGETHER },
  {
    verbs: ['check'],
    flag: '--obtain',
    instead: "--credential 'NAME={...}'",
    note: 'which takes the same; in a configuration file it is credentials',
    isFlagAlone: true,
  },
  { verbs: JUDGING, flag: '--skip', instead: "--only '!REGEXP'", note: EXCLUDES },
  {
    verbs: ['mock', 'check', 'proxy', 'judge', 'compat', 'learn'],
    flag: '--no-config',
    instead: '--config none',
    note: 'which is the same',
  },
  { verbs: ['check'], flag: '--api-key-file', instead: 'apiKeyFile: FILE', note: OF_TARGET },
  { verbs: ['check'], flag: '--timeout', instead: 'timeout: MS', note: OF_TARGET },
  { verbs: ['check'], flag: '--retries', instead: 'retries: N', note: OF_TARGET },
  { verbs: ['check'], flag: '--jobs', instead: 'jobs: N', note: OF_TARGET },
  { verbs: ['check'], flag: '--stateless', instead: 'stateless: true', note: OF_TARGET },
  { verbs: ['check'], flag: '--provoke', instead: 'provoke: FILE', note: OF_TARGET },
  { verbs: ['check', 'compat'], flag: '--examples', instead: 'examples: N', note: 'below the verb' },
  { verbs: ['compat'], flag: '--deprecation-days', instead: 'deprecationDays: N', note: 'below compat' },
  { verbs: ['mock'], flag: '--upstream-timeout', instead: 'upstreamTimeout: MS', note: 'below mock' },
  { verbs: ['mock'], flag: '--relate', instead: 'relate: { MEMBER: COLLECTION }', note: 'below mock' },
  {
    verbs: ['mock'],
    flag: '--compare-with',
    note: '"paddock compat OLD NEW" says what a changed document breaks',
  },
  {
    verbs: ['mock'],
    flag: '--callback-hosts',
    instead: '--allow-host HOST',
    note: 'which is the same',
  },
  {
    verbs: ['mock'],
    flag: '--trace',
    note: 'a request with the header Paddock-Trace: 1 gets the reason of its response',
  },
  {
    verbs: ['mock', 'proxy', 'judge'],
    flag: '--consumer',
    note: '"paddock compat OLD NEW --consumer NAME=FILE.har" reads recorded traffic',
    isFlagAlone: true,
  },
  ...['--examples-first', '--no-examples-first'].map((flag) => ({
    verbs: ['mock'],
    flag,
    note: 'collections begin with the examples of the document where a path of it names one',
  })),
  { verbs: ['mock'], flag: '--no-log', instead: '--log quiet', note: 'which is the same' },
  { verbs: ['mock'], flag: '--replica', note: 'a mock is named by its host and process' },
  {
    verbs: ['proxy'],
    flag: '--max-judged',
    instead: '--sample PERCENT',
    note: 'which judges a part of the exchanges',
  },
  { verbs: ['judge'], flag: '--workers', note: 'one thread judges 300 MB in a minute' },
  { verbs: ['learn'], flag: '--interactive', note: '--minimum chooses, and what is written can be edited' },
  {
    verbs: ['compat'],
    flag: '--format',
    instead: '--report changelog=-',
    note: 'which is Markdown for those who use the API',
  },
  {
    verbs: ['compat'],
    flag: '--severity',
    instead: '--known FILE',
    note: 'a list of the breaking changes that are accepted until a day',
  },
  {
    verbs: ['compat'],
    flag: '--consumers-only',
    note: '--consumer says which breaks touch a client, and shows them first',
  },
];

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
