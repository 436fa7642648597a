import { connect } from 'node:net';
import type { Asked } from './serve.ts';

/** A connection on which bytes are sent as they are. */
export interface Wire {
  send(text: string): void;
  /** All that came in until the other side closed; once something has come, it is told that nothing follows. */
  received(): Promise<string>;
}

export function dial(url: string): Wire {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  const begun = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  return {
    // A character is a byte, so that every byte can be sent.
    send: (bytes) => socket.write(bytes, 'latin1'),
    async received() {
      await Promise.race([begun, ended]);
      socket.end();
      await ended;
      return text;
    },
  };
}

export async function exchange(url: string, bytes: string): Promise<string> {
  const wire = dial(url);
  wire.send(bytes);
  return wire.received();
}

/** An answer's bytes, as far as tests look at them. */
export function parsed(text: string): Asked {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { status: Number(statusLine.split(' ')[1]), headers, text: body, body: undefined };
}
