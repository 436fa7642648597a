import { onEvent, onOpen, throttle } from './connection.ts';

/** Milliseconds between two looks while clients write all the time. */
const PAUSE = 700;

/** Calls at once, and some time after records may have changed; returns what ends that. */
export function onRecordsChanged(listener: () => void): () => void {
  let isEnded = false;
  const soon = throttle(() => {
    if (!isEnded) listener();
  }, PAUSE);
  const stops = [
    onOpen(listener),
    // A changed document removes what does not fit, and seeds anew.
    ...['records', 'state', 'reset', 'document'].map((event) => onEvent(event, listener)),
    onEvent('request', (data) => {
      // Most requests read: their JSON need not be parsed to see it.
      if (!/"method":"(?:GET|HEAD|OPTIONS)"/.test(data)) soon();
    }),
  ];
  return () => {
    isEnded = true;
    for (const stop of stops) stop();
  };
}
