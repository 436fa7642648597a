/**
 * An option that cannot be used. The message says what was received and what is allowed; where it is about one option
 * it begins with the option's name: `retries: it must be a whole number from 0 to 100, not -1`.
 */
export class SettingsError extends Error {
  override name = 'SettingsError';
  /** The option as {@link CheckOptions} names it; undefined where the message is about more than its value. */
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(option === undefined ? message : `${option}: ${message}`);
    this.option = option;
  }
}
