/** A file is no HAR, or cannot be read. The message names the file, the reason, and what helps. */
export class HarError extends Error {
  override readonly name = 'HarError';
}
