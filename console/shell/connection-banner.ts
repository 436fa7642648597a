import { h } from 'preact';
import { connection } from './connection.ts';
import { SERVER } from './place.ts';
import { isTokenWanted } from './token.ts';
import { useValue } from './value.ts';

/** What a lost connection means for the page. */
export function ConnectionBanner() {
  const state = useValue(connection);
  const isLocked = useValue(isTokenWanted);
  if (isLocked || state === 'live' || state === 'connecting') return null;
  const text =
    state === 'lost'
      ? `The ${SERVER} at ${location.host} does not respond. What is shown may be old; the console connects by itself when the ${SERVER} is back.`
      : `The ${SERVER} at ${location.host} responds, but refuses to be watched by this page. The console tries again.`;
  return h('p', { class: 'banner', role: 'alert' }, text);
}
