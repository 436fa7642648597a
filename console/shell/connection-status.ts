import { h } from 'preact';
import { type Connection, connection } from './connection.ts';
import { isTokenWanted } from './token.ts';
import { useValue } from './value.ts';

const TEXTS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost',
  refused: 'Refused',
};

/** Always in the header, and announced when it changes. */
export function ConnectionStatus() {
  const state = useValue(connection);
  const isLocked = useValue(isTokenWanted);
  return h(
    'span',
    { class: `status status-${isLocked ? 'refused' : state}`, role: 'status' },
    h('span', { class: 'status-dot', 'aria-hidden': 'true' }),
    isLocked ? 'Token needed' : TEXTS[state],
  );
}
