import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Many clients in a process of their own: what they cost must not be taken for a cost of the mock. */
export interface CrowdOrder {
  readonly port: number;
  /** Connections that are open at once. */
  readonly connections?: number;
  /** Requests over a few connections that are kept open, as fast as they are answered. */
  readonly requests?: number;
}

export interface CrowdAnswer {
  /** `open`: all connections are there, and wait to be told to go on; `done`: all was answered. */
  readonly stage: 'open' | 'done';
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly ms: number;
}

const HEADERS = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
/** A server takes in so many connections between two rounds of its event loop without refusing any. */
const AT_A_TIME = 200;

const answers: Record<string, number> = {};
let begun = performance.now();

function tell(stage: CrowdAnswer['stage']): void {
  const answer: CrowdAnswer = { stage, answers, ms: performance.now() - begun };
  process.send?.(answer);
}

function count(status: number | string): void {
  answers[status] = (answers[status] ?? 0) + 1;
}

async function open(port: number, connections: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < connections) {
    const size = Math.min(AT_A_TIME, connections - sockets.length);
    const wave = Array.from({ length: size }, () => opened(port));
    sockets.push(...(await Promise.all(wave)));
  }
  return sockets;
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
  });
}

/** Each asks once, and goes when it is answered. */
async function askOnEach(sockets: readonly Socket[]): Promise<void> {
  for (let begin = 0; begin < sockets.length; begin += AT_A_TIME)
    await Promise.all(sockets.slice(begin, begin + AT_A_TIME).map(askOn));
}

function askOn(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('data', (chunk) => {
      count(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 'no answer');
      socket.resetAndDestroy();
      resolve();
    });
    socket.once('close', resolve);
    socket.write(`GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${HEADERS.authorization}\r\n\r\n`);
  });
}

/** What a front-end asks for in turn; a tenth of it makes a record. */
const TASKS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ...Array.from({ length: 4 }, () => ['GET', '/v1/pets?limit=20'] as const),
  ...Array.from({ length: 3 }, (_, at) => ['GET', `/v1/pets/${at + 1}`] as const),
  ['GET', '/v1/pets/4711'],
  ['POST', '/v1/pets', '{"name":"Rex"}'],
  ['POST', '/v1/pets', '{"name":"Rex","categoryId":1}'],
];
const CLIENTS = 50;

async function ask(port: number, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const turns = Array.from({ length: requests }).keys();
  const client = async () => {
    for (const turn of turns) {
      const [method, path, body] = TASKS[turn % TASKS.length] as (typeof TASKS)[number];
      await new Promise<void>((resolve, reject) => {
        const sent = request(
          { port, host: '127.0.0.1', method, path, agent, headers: HEADERS },
          (response) => {
            count(response.statusCode ?? 0);
            response.resume().once('end', resolve);
          },
        );
        sent.once('error', reject).end(body);
      });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
}

let goOn = () => {};

process.on('message', async (order: CrowdOrder | 'go on') => {
  if (order === 'go on') return goOn();
  begun = performance.now();
  if (order.connections !== undefined) {
    const sockets = await open(order.port, order.connections);
    tell('open');
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await askOnEach(sockets);
  }
  if (order.requests !== undefined) await ask(order.port, order.requests);
  tell('done');
  process.disconnect();
});
