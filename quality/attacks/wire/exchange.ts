import { readResponses, type WireResponse } from './responses.ts';
import { send } from './send.ts';

/** Sends a request as it is written here, and gives its one response. */
export async function exchange(port: number, text: string): Promise<WireResponse> {
  const pieces = [Buffer.from(text, 'latin1')];
  const { responses } = readResponses(await send(port, { pieces, pause: 0, ending: 'after the response' }));
  if (!responses[0]) throw new Error(`no response to ${JSON.stringify(text.slice(0, 200))}`);
  return responses[0];
}
