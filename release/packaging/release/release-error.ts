/** Why there can be no release yet, and what helps. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}
