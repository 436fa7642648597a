/**
 * An option that cannot be used. The message says what was received and what is allowed:
 * `option retries must be a whole number from 0 to 100, not -1`.
 */
export class SettingsError extends Error {
  override name = 'SettingsError';
  /** The option that the message begins with, as {@link CheckOptions} names it; undefined: it begins otherwise. */
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}
