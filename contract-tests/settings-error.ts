/** An option that cannot be used; the message says which, and what would do. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}
