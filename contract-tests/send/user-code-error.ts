/** An error of the user's own code (a hook, a law), with its stack: it ends the run, and is no finding. */
export class UserCodeError extends Error {
  override name = 'UserCodeError';

  /** @param where what was called, as the subject of a sentence */
  constructor(where: string, error: unknown) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    super(`${where} failed: ${told}`);
  }
}
