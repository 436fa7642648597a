/** A configuration file that cannot be used: the message has all that is wrong, a line each, with its position. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
