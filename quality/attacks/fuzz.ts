import fc from 'fast-check';
import { parseJson } from '#spec';
import { KINDS } from './bytes/all-kinds.ts';
import type { Exchange } from './bytes/exchange.ts';
import { readResponses, type WireResponse } from './wire/responses.ts';
import { send } from './wire/send.ts';

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
/** Generated at once; all of them would be some hundred megabytes. */
const BATCH = 1000;

/** Sends malformed exchanges of every kind, each on a connection of its own, and checks the responses. */
export async function fuzz({ port, exchanges, seed }: FuzzOptions): Promise<FuzzOutcome> {
  const sent: Record<string, number> = {};
  const statuses: Record<string, number> = {};
  const acknowledged: unknown[] = [];
  const faults: string[] = [];

  async function sendOne(kind: string, exchange: Exchange): Promise<void> {
    sent[kind] = (sent[kind] ?? 0) + 1;
    try {
      for (const { status, body } of await responsesTo(port, exchange)) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 201) acknowledged.push(parseJson(body.toString()));
      }
    } catch (error) {
      faults.push(`${kind}: ${(error as Error).message}: ${shown(exchange)}`);
    }
  }

  for (let begun = 0; begun < exchanges; begun += BATCH) {
    const count = Math.min(BATCH, exchanges - begun);
    const queue = batch(count, seed + begun).values();
    const worker = async () => {
      for (const [kind, exchange] of queue) await sendOne(kind, exchange);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }
  return { sent, statuses, acknowledged, faults };
}

function batch(count: number, seed: number): [kind: string, exchange: Exchange][] {
  const kinds = KINDS.map(([name, weight, exchanges]) => ({
    weight,
    arbitrary: exchanges.map((exchange): [string, Exchange] => [name, exchange]),
  }));
  return fc.sample(fc.oneof(...kinds), { numRuns: count, seed });
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
