import fc from 'fast-check';
import { parseJson } from '#spec';
import { KINDS } from './bytes/all-kinds.ts';
import type { Exchange } from './bytes/exchange.ts';
import { readAnswers, type WireAnswer } from './wire/answers.ts';
import { speak } from './wire/speak.ts';

export interface FuzzOptions {
  readonly port: number;
  readonly exchanges: number;
  /** The same seed sends the same bytes. */
  readonly seed: number;
}

export interface FuzzOutcome {
  /** Exchanges by kind. */
  readonly sent: Readonly<Record<string, number>>;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** The records that the mock said that it had made. */
  readonly acknowledged: readonly unknown[];
  /** What was wrong, with the bytes to see it again. */
  readonly faults: readonly string[];
}

/** At work at the same time. */
const AT_ONCE = 24;
/** Made at once; all of them would be some hundred megabytes. */
const BATCH = 1000;

/** Sends malformed exchanges of every kind, each on a connection of its own, and judges what comes back. */
export async function fuzz({ port, exchanges, seed }: FuzzOptions): Promise<FuzzOutcome> {
  const sent: Record<string, number> = {};
  const answers: Record<string, number> = {};
  const acknowledged: unknown[] = [];
  const faults: string[] = [];

  async function send(kind: string, exchange: Exchange): Promise<void> {
    sent[kind] = (sent[kind] ?? 0) + 1;
    try {
      for (const answer of await ask(port, exchange)) {
        answers[answer.status] = (answers[answer.status] ?? 0) + 1;
        if (answer.status === 201) acknowledged.push(parseJson(answer.body.toString()));
      }
    } catch (error) {
      faults.push(`${kind}: ${(error as Error).message}: ${shown(exchange)}`);
    }
  }

  for (let begun = 0; begun < exchanges; begun += BATCH) {
    const count = Math.min(BATCH, exchanges - begun);
    const queue = batch(count, seed + begun).values();
    const worker = async () => {
      for (const [kind, exchange] of queue) await send(kind, exchange);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
  return { sent, answers, acknowledged, faults };
}

function batch(count: number, seed: number): [kind: string, exchange: Exchange][] {
  const kinds = KINDS.map(([name, weight, exchanges]) => ({
    weight,
    arbitrary: exchanges.map((exchange): [string, Exchange] => [name, exchange]),
  }));
  return fc.sample(fc.oneof(...kinds), { numRuns: count, seed });
}

async function ask(port: number, exchange: Exchange): Promise<readonly WireAnswer[]> {
  const { answers, rest } = readAnswers(await speak(port, exchange), exchange.isHead ? 1 : 0);
  if (rest.length > 0) throw new Error(`half an answer: ${rest.toString('latin1')}`);
  if (exchange.complete && answers.length === 0) throw new Error('no answer');
  for (const answer of answers) check(answer);
  return answers;
}

/** A refusal says what was wrong, in the form that the document gives to errors. */
function check({ status, headers, body }: WireAnswer): void {
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

function shown({ pieces, leaves }: Exchange): string {
  const text = JSON.stringify(Buffer.concat(pieces).toString('latin1'));
  return `${leaves} ${text.length > 400 ? `${text.slice(0, 300)} ... ${text.slice(-100)}` : text}`;
}
