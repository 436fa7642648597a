import { readAnswers, type WireAnswer } from './answers.ts';
import { speak } from './speak.ts';

/** Sends a request as it is written here, and gives its one answer. */
export async function exchange(port: number, text: string): Promise<WireAnswer> {
  const pieces = [Buffer.from(text, 'latin1')];
  const { answers } = readAnswers(await speak(port, { pieces, pause: 0, leaves: 'when answered' }));
  if (!answers[0]) throw new Error(`no answer to ${JSON.stringify(text.slice(0, 200))}`);
  return answers[0];
}
