import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ResponseContent } from '#control';
import type { AdminContext } from './admin-endpoints.ts';

/** Responds to requests below `/__admin`, on connections of clients that send one. */
export interface AdminServer {
  /** Serves one request of a connection, of which these bytes were read, and ends it. */
  take(client: Socket, bytes: Buffer): void;
  publish(event: string, data: () => string): void;
  close(): void;
}

/** The control API of the mock is loaded when it is first asked for. */
export function createAdminServer(context: AdminContext): AdminServer {
  const opened = loader(() => open(context));
  let isOpen = false;
  let publishing: ((event: string, data: () => string) => void) | undefined;
  let ending: (() => void) | undefined;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // The next request on the connection may be for the target.
    outgoing.shouldKeepAlive = false;
    try {
      const { respond, send, publish, end } = await opened();
      if (!isOpen) {
        isOpen = true;
        publishing = publish;
        ending = end;
      }
      const [path = '', ...rest] = (incoming.url ?? '').split('?');
      const { method = 'GET', headers } = incoming;
      incoming.resume();
      const request = { method, path, query: rest.join('?'), headers, body: undefined };
      send(withType(await respond(request)), outgoing, true);
    } catch (error) {
      context.onBug(error);
      outgoing.writeHead(500, { 'Content-Type': 'text/plain' }).end('This is a bug of Paddock.\n');
    }
  }

  const server = createServer({ keepAlive: false }, (incoming, outgoing) => void serve(incoming, outgoing));
  return {
    take(client, bytes) {
      for (const event of ['data', 'drain', 'end', 'close', 'error']) client.removeAllListeners(event);
      client.pause();
      client.unshift(bytes);
      server.emit('connection', client);
      client.resume();
    },
    publish: (event, data) => publishing?.(event, data),
    close() {
      ending?.();
      server.closeAllConnections();
    },
  };
}

async function open(context: AdminContext) {
  const [control, { adminEndpoints }] = await Promise.all([
    import('#control'),
    import('./admin-endpoints.ts'),
  ]);
  const events = control.createEvents();
  const respond = control.compileControl(
    adminEndpoints(context, control, events),
    control.compileAccess(context.adminToken, context.host),
    () => context,
    { [`${control.CONTROL_PATH}/`]: 'proxy.html' },
  );
  return {
    respond: (request: Parameters<typeof respond>[0]) => respond(request, undefined),
    send: control.send,
    publish(event: string, data: () => string) {
      if (events.hasListeners) events.publish(event, data());
    },
    end: () => events.close(),
  };
}

function withType({ type, headers, ...rest }: ResponseContent) {
  return { ...rest, headers: { ...(type !== undefined && { 'Content-Type': type }), ...headers } };
}

/** Loads once. */
function loader<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
