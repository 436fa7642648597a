/** The store cannot be opened: a usage error, whose message contains no password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * An open store cannot be used for now: it cannot be reached, its disk is full, or what it holds is damaged. Whether the
 * write that failed was committed is not known; nothing that was acknowledged is lost, unless by damage.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Reports that a store has failed, and that it works again, once each: every request would repeat it. */
export function createOutageReport(store: string, notice: (text: string) => void) {
  let isDown = false;
  return {
    failed(reason: string) {
      if (!isDown) notice(`${store} is unavailable, and requests get a 503: ${reason}`);
      isDown = true;
    },
    worked() {
      if (isDown) notice(`${store} is available again`);
      isDown = false;
    },
  };
}
