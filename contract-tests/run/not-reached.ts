import type { Operation } from '#spec';

/** Why a case was not run, or not to its end. Code compares these; the sentence beside one is for people. */
export type ReasonCode =
  | 'only'
  /** Another shard of the run executes it. */
  | 'shard'
  | 'read-only'
  | 'excluded'
  | 'withheld'
  | 'removed'
  /** Another operation that the case needs is gone. */
  | 'needs-removed'
  /** The document does not say how to provoke the cell. */
  | 'unprovoked'
  /** A value, a body or a record is missing that the user can give. */
  | 'no-input'
  /** The target cannot reach the run, which is to receive callbacks. */
  | 'out-of-reach'
  /** No further record may be made. */
  | 'no-room'
  /** The bound of `--plan` is reached. */
  | 'no-requests'
  /** The run would not end in time, and other cases have covered the same cell. */
  | 'no-time'
  | 'interrupted'
  | 'time-is-over'
  /** The environment did not let a response through. */
  | 'unreachable'
  /** The run had ended before. */
  | 'gave-up'
  /** Code of the user's leaves it out. */
  | 'hook'
  /** What the target answered stood in the way. */
  | 'target'
  /** Paddock's own fault: the case is lost, and the run goes on. */
  | 'bug';

/** Why a case is skipped that another shard of the run executes. */
export const NOT_IN_SHARD = '--shard';

/** The case cannot be judged on this target; no finding. The message is the cell's reason. */
export class NotReached extends Error {
  override name = 'NotReached';
  readonly code: ReasonCode;
  /** The one line by which the user can have it reached: an option, or a key of the configuration file. */
  readonly remedy: string | undefined;

  constructor(message: string, code: ReasonCode = 'target', remedy?: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

/** An option that names an operation, as a shell takes it. */
export const optionFor = (option: string, operationId: string, more = '') => {
  const value = `${operationId}${more}`;
  return `${option} ${/^[\w./:=-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`;
};

/** It is the document that does not say how to provoke the cell: nothing is amiss with the target. */
export class NotProvoked extends NotReached {
  override name = 'NotProvoked';

  constructor(message: string, code: ReasonCode = 'unprovoked', remedy?: string) {
    super(message, code, remedy);
  }
}

/** Nothing says which value, body or record the target takes, and the user can: the cell was not tried. */
export class NoInput extends NotProvoked {
  override name = 'NoInput';

  /** The operation of which no body can be made; undefined: something else is missing. */
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
    const [options, members] = [0, 1].map((index) => remedies.map((one) => one[index]).join(' or '));
    super(`${message}: say ${options} (${members} in the configuration file)`, 'no-input', options);
    this.bodyOf = body;
  }
}

/** No further record may be made below records of others. */
export const noRoomBelow = (most: number) =>
  new NotReached(
    `at most ${most} records are made below records of others; --value names a parent that may be filled`,
    'withheld',
  );

/** No further record may be made. */
export class NoRoom extends NotReached {
  override name = 'NoRoom';

  constructor(most: number) {
    super(`--max-creates ${most} leaves no room for it`, 'no-room', '--max-creates N');
  }
}
