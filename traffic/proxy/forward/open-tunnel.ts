import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Target } from '#target';
import { environmentProxy, proxyAuthorization } from './environment-proxy.ts';

/**
 * Opens a connection for bytes of any protocol, through the HTTP proxy of the environment if there is one.
 * @param target whose host and port are meant
 */
export function openTunnel({ base, proxyEnv }: Target): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const proxy = environmentProxy(base, proxyEnv);
  const port = Number(base.port || 443);
  if (!proxy) {
    const socket = connect({ host: base.hostname.replace(/^\[|\]$/g, ''), port, allowHalfOpen: true });
    socket.once('error', reject).once('connect', () => resolve(socket));
    return promise;
  }
  const path = `${base.hostname}:${port}`;
  const authorization = proxyAuthorization(proxy);
  const headers = { Host: path, ...(authorization && { 'Proxy-Authorization': authorization }) };
  (proxy.protocol === 'https:' ? httpsRequest : httpRequest)(proxy, {
    method: 'CONNECT',
    path,
    headers,
    agent: false,
  })
    .on('error', reject)
    .on('connect', ({ statusCode = 0 }, socket: Socket, first) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        const message = `the HTTP proxy of the environment opens no tunnel (it answers ${statusCode})`;
        return reject(new Error(message));
      }
      // A server may speak first.
      if (first.length > 0) socket.unshift(first);
      resolve(socket);
    })
    .end();
  return promise;
}
