/** The environment, not the contract, stood in the way: a gateway, a limit, a broken connection. No finding. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** An unsafe request whose fate is unknown: it may have been carried out. The caller sends a fresh one. */
export class FateUnknown extends Unreachable {
  override name = 'FateUnknown';
}

export const INTERRUPTED = 'interrupted';

/** The user has ended the run: nothing more is sent. */
export class Interrupted extends Unreachable {
  override name = 'Interrupted';

  constructor() {
    super(INTERRUPTED);
  }
}

/** The time of the run is over: nothing more is sent. */
export class TimeIsOver extends Unreachable {
  override name = 'TimeIsOver';

  constructor() {
    super('--max-time is over');
  }
}
