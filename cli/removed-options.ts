import { UsageError } from './usage-error.ts';

/** An option that a verb no longer has. */
interface RemovedOption {
  readonly verb: string;
  /** As it stood on the command line. */
  readonly flag: string;
  /** The option to write instead, with its value if it takes one; undefined: none. */
  readonly instead: string | undefined;
  /** What else is to be known, as the end of a sentence. */
  readonly note: string;
}

/** All options that went; whoever still writes one is told what to write instead. */
const REMOVED_OPTIONS: readonly RemovedOption[] = [
  {
    verb: 'check',
    flag: '--probe-key',
    instead: '--disposable',
    note: 'which is for a target that may be broken: it also calls all operations, and sends writes in parallel',
  },
  {
    verb: 'check',
    flag: '--no-races',
    instead: undefined,
    note: 'races are sent only with --disposable',
  },
  {
    verb: 'check',
    flag: '--opinion',
    instead: undefined,
    note: "Prism's proxy and Dredd judge a service by themselves",
  },
  ...['stability', 'statuses', 'cells'].flatMap((part) =>
    ['check', 'proxy', 'judge', ...(part === 'stability' ? ['compat'] : [])].map((verb) => ({
      verb,
      flag: `--strict-${part}`,
      instead: `--strict ${part}`,
      note: 'which may be given several times',
    })),
  ),
  {
    verb: 'check',
    flag: '--known-update',
    instead: '--accept',
    note: 'which writes the causes of this run into the file of --known',
  },
  ...['check', 'proxy', 'judge'].flatMap((verb) =>
    ['--baseline', '--new-only'].map((flag) => ({
      verb,
      flag,
      instead: '--known FILE',
      note: 'a list of the causes that are accepted: what is new alone decides the verdict',
    })),
  ),
  {
    verb: 'check',
    flag: '--callback-port',
    instead: '--callback-url URL,PORT',
    note: 'the port of this machine to which a tunnel passes on what comes to the URL',
  },
  ...['--examples-first', '--no-examples-first'].map((flag) => ({
    verb: 'mock',
    flag,
    instead: undefined,
    note: 'collections begin with the examples of the document where a path of it names one',
  })),
  { verb: 'mock', flag: '--no-log', instead: '--log quiet', note: 'which is the same' },
  { verb: 'mock', flag: '--replica', instead: undefined, note: 'a mock is named by its host and process' },
  {
    verb: 'proxy',
    flag: '--max-judged',
    instead: '--sample PERCENT',
    note: 'which judges a part of the exchanges',
  },
  {
    verb: 'compat',
    flag: '--severity',
    instead: '--known FILE',
    note: 'a list of the breaking changes that are accepted until a day',
  },
  {
    verb: 'compat',
    flag: '--consumers-only',
    instead: undefined,
    note: '--consumer says which breaks touch a client, and shows them first',
  },
  ...['mock', 'proxy', 'judge'].map((verb) => ({
    verb,
    flag: '--consumer',
    instead: undefined,
    note: '"paddock compat OLD NEW --consumer NAME=FILE.har" reads recorded traffic',
  })),
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

function sentence(
  name: string,
  { instead, note }: RemovedOption,
  write: (flag: string, value?: string) => string,
) {
  const [flag, value] = instead?.split(' ') ?? [];
  const remedy = flag === undefined ? `leave it out: ${note}` : `write ${write(flag, value)}, ${note}`;
  return `${name} was removed; ${remedy}`;
}

/**
 * Refuses verbs that went, and options that went, on the command line of a verb and in the environment.
 * @throws UsageError
 */
export function refuseRemovedOptions(
  [verb, ...words]: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const inPlace = REMOVED_VERBS.get(verb ?? '');
  if (inPlace !== undefined) throw new UsageError(`paddock ${verb} was removed: ${inPlace}`);
  const end = words.indexOf('--');
  const flags = (end < 0 ? words : words.slice(0, end)).map((word) => word.replace(/=.*/s, ''));
  for (const option of REMOVED_OPTIONS.filter((one) => one.verb === verb)) {
    const { flag } = option;
    if (flags.includes(flag))
      throw new UsageError(sentence(flag, option, (name, value) => [name, value].filter(Boolean).join(' ')));
    if (environment[variable(flag)])
      throw new UsageError(
        sentence(variable(flag), option, (name, value = 'true') => `${variable(name)}=${value}`),
      );
  }
}

/** What to write instead of keys of a configuration file that went, by verb and key. */
export const REMOVED_KEYS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  [...Map.groupBy(REMOVED_OPTIONS, ({ verb }) => verb)].map(([verb, options]) => [
    verb,
    new Map(
      options.map((option) => [
        camelCase(option.flag),
        sentence('it', option, (name, value = 'true') => `${camelCase(name)}: ${value}`),
      ]),
    ),
  ]),
);
