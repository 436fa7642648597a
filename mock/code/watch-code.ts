import { readFile } from 'node:fs/promises';
import { type FileWatch, watchFiles } from '../sessions/watch/watch-document.ts';
import type { Code } from './coded-operations.ts';

/** A file with the user's code. */
export interface CodeFile {
  readonly name: string;
  readonly code: Code;
  /** Absolute paths of the file and its imports. */
  readonly files: readonly string[];
  /** Runs the file again. @throws Error with the reason */
  reload(): Promise<CodeFile>;
}

interface CodeReader {
  changeCode(code: Code): Promise<void>;
}

/** Reloads code when its file changes. If it cannot be used, the last valid version stays, and a notice gives the reason. */
export function watchCode(first: CodeFile, reader: CodeReader, notice: (text: string) => void): FileWatch {
  let current = first;
  let before = textOf(first.files);
  let reading = Promise.resolve();

  async function readOnce(): Promise<void> {
    const text = await textOf(current.files);
    // Most events in a folder do not concern the code.
    if (text === (await before)) return;
    before = Promise.resolve(text);
    try {
      const next = await current.reload();
      if (hasCode(current) || hasCode(next)) {
        await reader.changeCode(next.code);
        notice(`the code of ${next.name} has changed, and is used from now on`);
      }
      current = next;
      watching.follow(next.files);
      before = textOf(next.files);
    } catch (error) {
      notice(`the code of ${first.name} was refused, and the old one is still used:\n${messageOf(error)}`);
    }
  }

  const watching = watchFiles(() => {
    reading = reading.then(readOnce);
  });
  watching.follow(first.files);
  const { length } = first.files;
  notice(`watching the code of ${first.name}${length > 1 ? `, ${length} files` : ''}`);
  return watching;
}

const hasCode = ({ code: { operations, seedCode } }: CodeFile) =>
  seedCode !== undefined || Object.keys(operations).length > 0;

async function textOf(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.join('\0');
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.stack}` : error.message;
}
