import { connect, type Socket } from 'node:net';

/** A connection that shows the bytes that come, as text in which each character is a byte. */
export interface RawClient {
  readonly socket: Socket;
  received(): string;
  send(text: string | Buffer): void;
  /** Resolves when what has come fits. @throws Error when the connection ended before */
  until(fits: (received: string) => boolean): Promise<string>;
  /** Resolves when the other side has ended the connection. */
  readonly ended: Promise<string>;
}

export function rawClient(port: number): RawClient {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay(true);
  let text = '';
  const watchers = new Set<() => void>();
  let hasEnded = false;
  const received = () => text;
  const notify = () => watchers.forEach((watch) => void watch());
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    notify();
  });
  const over = () => {
    hasEnded = true;
    notify();
  };
  socket.on('end', over).on('close', over);
  const until = (fits: (text: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      function watch(): void {
        if (fits(text)) resolve(text);
        else if (hasEnded) reject(new Error(`the connection ended after ${JSON.stringify(text)}`));
        else return;
        watchers.delete(watch);
      }
      watchers.add(watch);
      watch();
    });
  return {
    socket,
    received,
    send: (text) => void socket.write(text, 'latin1'),
    until,
    ended: new Promise((resolve) => {
      const done = () => resolve(received());
      socket.once('end', done).once('close', done);
    }),
  };
}
