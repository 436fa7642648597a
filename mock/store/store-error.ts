/** The store that was asked for cannot be had: a usage error, said in words that name no password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * A store that worked cannot be reached for now, or has no room left. Whether a write that meets this was done is
 * not known; nothing that was acknowledged is lost.
 */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}
