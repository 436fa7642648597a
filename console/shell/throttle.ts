/** Calls once for all that happens within some milliseconds, when they are over. */
export function throttle(act: () => void, milliseconds: number): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      act();
    }, milliseconds);
  };
}
