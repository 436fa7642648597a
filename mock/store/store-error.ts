/** The store cannot be opened: a usage error, whose message contains no password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * An open store cannot be reached for now, or its disk is full. Whether the write that failed was committed is not
 * known; nothing that was acknowledged is lost.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
