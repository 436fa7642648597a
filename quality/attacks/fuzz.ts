import fc from 'fast-check';
import { parseJson } from '#spec';
import { attemptEach } from './attempts.ts';
import { type Exchange, KINDS } from './bytes/requests.ts';
import { readResponses, send, type WireResponse } from './wire.ts';

export interface FuzzOptions {
  readonly port: number;
  readonly exchanges: number;
  /** The same seed sends the same bytes. */
  readonly seed: number;
}

export interface FuzzOutcome {
  /** Exchanges by kind. */
  readonly sent: Readonly<Record<string, number>>;
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The records of each 201. */
  readonly acknowledged: readonly unknown[];
  /** What was wrong, with the bytes that reproduce it. */
  readonly faults: readonly string[];
}

const CONCURRENCY = 24;

/** Sends malformed exchanges of every kind, each on a connection of its own, and checks the responses. */
export async function fuzz({ port, exchanges, seed }: FuzzOptions): Promise<FuzzOutcome> {
  const sent: Record<string, number> = {};
  const statuses: Record<string, number> = {};
  const acknowledged: unknown[] = [];
  const kinds = KINDS.map(([kind, weight, exchanges]) => ({
    weight,
    arbitrary: exchanges.map((exchange) => ({ kind, exchange })),
  }));
  const faults = await attemptEach(
    fc.oneof(...kinds),
    { count: exchanges, seed, workers: CONCURRENCY },
    async ({ kind, exchange }) => {
      sent[kind] = (sent[kind] ?? 0) + 1;
      for (const { status, body } of await responsesTo(port, exchange)) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 201) acknowledged.push(parseJson(body.toString()));
      }
    },
    ({ kind, exchange }) => `${kind}: ${shown(exchange)}`,
  );
  return { sent, statuses, acknowledged, faults };
}

async function responsesTo(port: number, exchange: Exchange): Promise<readonly WireResponse[]> {
  const { responses, rest } = readResponses(await send(port, exchange), exchange.isHead ? 1 : 0);
  if (rest.length > 0) throw new Error(`half a response: ${rest.toString('latin1')}`);
  if (exchange.complete && responses.length === 0) throw new Error('no response');
  for (const response of responses) check(response);
  return responses;
}

/** An error has the documented error body, with its own status. */
function check({ status, headers, body }: WireResponse): void {
  if (status === 500) throw new Error(`the mock failed: ${body}`);
  if (body.length === 0) return;
  const type = headers.get('content-type');
  if (type === 'application/yaml') return;
  if (type !== 'application/json') throw new Error(`a body of type ${type}`);
  const value = parseJson(body.toString()) as { status?: unknown; code?: unknown; message?: unknown };
  if (status < 400) return;
  const { message, code } = value;
  if (value.status !== status || !isText(message) || !isText(code)) throw new Error(`no error body: ${body}`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function shown({ pieces, ending }: Exchange): string {
  const text = JSON.stringify(Buffer.concat(pieces).toString('latin1'));
  return `${ending} ${text.length > 400 ? `${text.slice(0, 300)} ... ${text.slice(-100)}` : text}`;
}
