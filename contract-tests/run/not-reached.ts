import type { Operation } from '#spec';

/** Why a case was not run, or not completed. Code compares these; the sentence beside it is for people. */
export type ReasonCode =
  | 'only'
  /** Another shard executes it. */
  | 'shard'
  | 'read-only'
  | 'excluded'
  | 'withheld'
  | 'removed'
  /** Another operation that the case needs was removed. */
  | 'needs-removed'
  /** The document has no known trigger for the cell. */
  | 'unprovoked'
  /** A value, a body or a record is missing that the user can supply. */
  | 'no-input'
  /** The target cannot reach the run, which is to receive callbacks. */
  | 'out-of-reach'
  /** The budget of records is exhausted. */
  | 'no-room'
  /** The maximum of `--plan` is reached. */
  | 'no-requests'
  /** The run would not end in time, and other cases have reached the same cell. */
  | 'no-time'
  | 'interrupted'
  | 'time-is-over'
  /** The environment prevented a response. */
  | 'unreachable'
  /** The run had ended before. */
  | 'gave-up'
  /** The user's code excludes it. */
  | 'hook'
  /** A response of the target prevented it. */
  | 'target'
  /** An internal error: the case is lost, and the run continues. */
  | 'bug';

/** The reason of a case that another shard executes. */
export const NOT_IN_SHARD = '--shard';

/** The case cannot be judged on this target; it is no finding. The message is the cell's reason. */
export class NotReached extends Error {
  override name = 'NotReached';
  readonly code: ReasonCode;
  /** The option, or the key of the configuration file, with which the cell would be reached. */
  readonly remedy: string | undefined;

  constructor(message: string, code: ReasonCode = 'target', remedy?: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

/** An option for an operation, quoted for a shell. */
export const optionFor = (option: string, operationId: string, more = '') => {
  const value = `${operationId}${more}`;
  return `${option} ${/^[\w./:=-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`;
};

/** The document has no known trigger for the cell: the target is not at fault. */
export class NotProvoked extends NotReached {
  override name = 'NotProvoked';

  constructor(message: string, code: ReasonCode = 'unprovoked', remedy?: string) {
    super(message, code, remedy);
  }
}

/** The source of a value, body or record is unknown, and the user can supply it: the cell was not tried. */
export class NoInput extends NotProvoked {
  override name = 'NoInput';

  /** The operation whose body cannot be made; undefined: something else is missing. */
  readonly bodyOf: Operation | undefined;

  /** @param missing the parameters or members, the operation whose body it is, or both */
  constructor(
    message: string,
    { values = [], body }: { readonly values?: readonly string[]; readonly body?: Operation },
  ) {
    const remedies = [
      ...(values.length > 0 ? [[values.map((name) => `--value ${name}=V`).join(' '), 'check.value']] : []),
      ...(body ? [[optionFor('--body', body.id, '=FILE'), 'check.body']] : []),
    ];
    const [options, members] = [0, 1].map((index) => remedies.map((remedy) => remedy[index]).join(' or '));
    super(`${message}: say ${options} (${members} in the configuration file)`, 'no-input', options);
    this.bodyOf = body;
  }
}

/** The limit of records below those of others is reached. */
export const noRoomBelow = (most: number) =>
  new NotReached(
    `at most ${most} records are made below records of others; --value names a parent that may be filled`,
    'withheld',
  );

/** The budget of records is exhausted. */
export class NoRoom extends NotReached {
  override name = 'NoRoom';

  constructor(most: number) {
    super(`--max-creates ${most} leaves no room for it`, 'no-room', '--max-creates N');
  }
}
