import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { endToEnd, type Fields, fieldsOf, isStale } from '#forwarder';
import { SAFE_METHODS } from '#spec';
import { explainWireError, MAX_BODY } from '#target';
import { answer, problemResponse } from './answer.ts';
import { Content, isStream, onwardFields, type RequestHead, responseHead } from './message.ts';
import type { Way, Witness } from './way.ts';

/** A request as received, and its response. */
export interface Asked {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly head: RequestHead;
  /** Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 §10.1.1). */
  readonly waits?: boolean | undefined;
  /** Set if the client asks for another protocol (RFC 9110 §7.8), with what it sent after the head. */
  readonly upgrade?: { readonly socket: Duplex; readonly first: Buffer } | undefined;
}

/**
 * Ends an exchange whose request turns out to be invalid HTTP.
 * @returns whether the client has a part of a response
 */
export type BreakOff = () => boolean;

/** Forwards a request, and returns the response. */
export function exchange(asked: Asked, way: Way): BreakOff {
  const { incoming, outgoing, head } = asked;
  if (!way.screen) return send(asked, way, EMPTY, true);
  if (asked.waits) outgoing.writeContinue();
  let breakOff: BreakOff = () => false;
  let isOver = false;
  readUpTo(incoming, head.hasBody ? MAX_BODY : 0).then(
    ({ body, isWhole }) => {
      if (isOver || outgoing.destroyed) return;
      const refused = way.screen?.(head, isWhole ? body : 'unknown');
      if (refused) answer(outgoing, refused);
      else breakOff = send({ ...asked, waits: false }, way, body, !isWhole);
    },
    // The client is gone.
    () => {},
  );
  return () => {
    isOver = true;
    return breakOff();
  };
}

const EMPTY = Buffer.alloc(0);

async function readUpTo(incoming: IncomingMessage, most: number) {
  const content = new Content();
  let length = 0;
  if (most > 0)
    for await (const part of incoming.iterator({ destroyOnReturn: false })) {
      content.add(part);
      length += part.length;
      if (length > most) return { body: content.whole(), isWhole: false };
    }
  return { body: content.whole(), isWhole: true };
}

/**
 * @param begun the part of the body that was read already
 * @param goesOn the rest of it is still to be read
 */
function send(asked: Asked, way: Way, begun: Buffer, goesOn: boolean): BreakOff {
  const { incoming, outgoing, head, waits, upgrade } = asked;
  const { service, counts, ownConnections, notice } = way;
  const witness = way.witness(head);
  let request: ClientRequest | undefined;
  let answered: IncomingMessage | undefined;
  let isOver = false;
  let hasContinued = false;
  /** A changing request is sent once (RFC 9110 §9.2.2), and so not on a connection that may be closing. */
  const mayRepeat = SAFE_METHODS.has(head.method) && !head.hasBody && !upgrade;
  counts.requests += 1;

  function open(connection: 'kept' | 'own'): ClientRequest {
    const fields = onwardFields(head, way.host);
    const { method, target } = head;
    const opened = service.request(
      { method, target, fields: upgrade ? [...fields, ...upgradeFields(incoming)] : fields },
      connection,
    );
    request = opened;
    opened
      .once('socket', ownConnections.add)
      .on('error', (error) => {
        // The error is after the response, and belongs to none (RFC 9112 §6.3).
        if (answered?.complete) return;
        if (mayRepeat && isStale(opened, error) && !isOver && !outgoing.headersSent) open('own');
        else drop('failed', explainWireError(error));
      })
      .on('information', ({ statusCode, rawHeaders }) => {
        if (statusCode === 100) hasContinued = true;
        // Unread data must not fill the memory.
        const isRead = outgoing.writableLength < outgoing.writableHighWaterMark;
        if (outgoing.headersSent || incoming.httpVersion === '1.0' || !isRead) return;
        // Older versions of Node lack it.
        if (statusCode !== 100)
          outgoing.writeInformation?.(statusCode, endToEnd(fieldsOf(rawHeaders)).flat());
        else if (waits) outgoing.writeContinue();
      })
      .on('upgrade', (response, onward, first) => {
        if (upgrade && outgoing.socket) join(asked, upgrade, response, onward, first);
        else {
          onward.destroy();
          return drop('failed', UNASKED);
        }
        isOver = true;
        counts.upgraded += 1;
        witness.drop('upgraded');
      })
      .on('response', (response) => {
        if (isOver) return;
        answered = response;
        const { statusCode = 0 } = response;
        if (statusCode === 101) return drop('failed', UNASKED);
        // Node reads such statuses, but cannot write them.
        if (statusCode < 100)
          return drop('failed', `it answers with the status ${statusCode}, which is none`);
        const coding = response.headers['transfer-encoding'] ?? 'chunked';
        if (!/^chunked$/i.test(coding)) return drop('failed', `it answers with an unknown coding: ${coding}`);
        const isRefusal = waits && !hasContinued;
        respond(asked, way, witness, response, isRefusal ? CLOSES : [], (error) => {
          if (error) drop('failed', explainWireError(error));
          if (isOver) return false;
          isOver = true;
          if (isRefusal && !incoming.complete) opened.destroy();
          return true;
        });
      });
    if (!head.hasBody) opened.end();
    return opened;
  }

  function sendBody(request: ClientRequest): void {
    // This also sends the head, without which the target cannot send 100 (Continue).
    if (begun.length > 0 || waits) request.write(begun);
    if (begun.length > 0) witness.requestContent(begun);
    const end = () => {
      request.addTrailers(fieldsOf(incoming.rawTrailers));
      request.end();
      witness.requestEnd();
    };
    if (!goesOn) {
      end();
      return;
    }
    incoming.on('data', (part: Buffer) => {
      witness.requestContent(part);
      // A target may respond, and close, before it has the whole request.
      if (!request.write(part) && !request.destroyed) incoming.pause();
    });
    const goOn = () => incoming.resume();
    request.on('drain', goOn).on('close', goOn);
    incoming.on('end', end).on('error', () => {});
  }

  function drop(why: 'failed' | 'abandoned', reason: string): void {
    if (isOver) return;
    isOver = true;
    if (!witness.drop(why)) counts[why] += 1;
    request?.destroy();
    if (why === 'abandoned') return;
    notice(head, `the target gave no whole response: ${reason}`);
    const detail = `The target gave no whole response: ${reason}`;
    // A partial response cannot be taken back: the client sees it break off, as without a proxy.
    if (outgoing.headersSent) outgoing.destroy();
    else {
      outgoing.shouldKeepAlive = false;
      answer(outgoing, problemResponse(502, { detail }));
    }
  }

  outgoing.once('close', () => {
    if (!outgoing.writableFinished) drop('abandoned', '');
  });
  try {
    const opened = open(mayRepeat ? 'kept' : 'own');
    if (head.hasBody) sendBody(opened);
    else witness.requestEnd();
  } catch (error) {
    drop('failed', (error as Error).message);
  }
  return () => {
    const isReturning = outgoing.headersSent;
    drop('abandoned', '');
    return isReturning;
  };
}

const UNASKED = 'it switches to another protocol (101), which nobody asked for';
const CLOSES: Fields = [['Connection', 'close']];

/** Statuses without a body, whatever the headers say (RFC 9112 §6.3): Node does not allow trailers there. */
const BODILESS = new Set([204, 304]);

function upgradeFields({ headers }: IncomingMessage): Fields {
  return [
    ['Connection', 'Upgrade'],
    ['Upgrade', headers.upgrade ?? ''],
  ];
}

/** @param end is called with the reason if the response is incomplete; false: the exchange was over before */
function respond(
  { outgoing, incoming }: Asked,
  { holds }: Way,
  witness: Witness,
  response: IncomingMessage,
  more: Fields,
  end: (error?: Error) => boolean,
): void {
  const head = responseHead(response);
  const isOfChunks = response.headers['transfer-encoding'] !== undefined && incoming.httpVersion === '1.1';
  const isChunked = isOfChunks && incoming.method !== 'HEAD' && !BODILESS.has(head.status);
  const fields = endToEnd(head.fields).filter(
    ([name]) => !(isChunked ? /^content-length$/i : /^trailer$/i).test(name),
  );
  // An endless response cannot be held back until its end.
  let held = holds && !isStream(head) ? new Content() : undefined;
  let length = 0;

  function release(added: Fields = []): void {
    outgoing.sendDate = false;
    outgoing.writeHead(head.status, head.reason, [...fields, ...added, ...more].flat());
    outgoing.write(held?.whole() ?? EMPTY);
    held = undefined;
  }

  witness.responseHead(head);
  response
    .on('data', (part: Buffer) => {
      const isKept = witness.responseContent(part);
      if (held) {
        held.add(part);
        length += part.length;
        if (!isKept || length > MAX_BODY) release();
      } else if (!outgoing.write(part)) response.pause();
    })
    .on('error', end)
    .on('end', () => {
      if (!end()) return;
      witness.responseEnd();
      const replacement = held && witness.replacement();
      if (replacement && 'status' in replacement) return answer(outgoing, replacement);
      if (held) release(replacement?.more);
      if (response.rawTrailers.length > 0) outgoing.addTrailers(fieldsOf(response.rawTrailers));
      outgoing.end();
    });
  outgoing.on('drain', () => response.resume());
  // After the listeners, so that available body data is sent in one packet with the head.
  if (!held) release();
}

/** Connects client and target for another protocol. */
function join(
  { outgoing }: Asked,
  { socket, first }: NonNullable<Asked['upgrade']>,
  { statusCode, statusMessage, rawHeaders }: IncomingMessage,
  onward: Duplex,
  rest: Buffer,
): void {
  outgoing.detachSocket(socket as Parameters<ServerResponse['detachSocket']>[0]);
  const lines = fieldsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
  socket.write(rest);
  onward.write(first);
  pass(socket, onward);
}

/** Forwards bytes in both directions until both have ended. */
export function pass(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => from.readableEnded || to.destroy());
    from.pipe(to);
  }
}
