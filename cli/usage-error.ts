/** What the user can mend: an option, a value, a file, a port. Shown without a stack; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
