import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HarFile } from '#proxy';
import { EXIT_NO_VERDICT } from './exit-codes.ts';
import { learnFiles } from './learn-files.ts';
import { UsageError } from './usage-error.ts';

export interface LearningOptions {
  /** Where the document or the overlay is written. */
  readonly output: string;
  readonly target: string;
  /** Undefined: a document is learned of nothing but the traffic. */
  readonly document: string | undefined;
  readonly load: { readonly allowRefs: readonly string[]; readonly overlays: readonly string[] };
  /** Receives what the user should know. */
  readonly say: (text: string) => void;
}

/** What a proxy learns while traffic passes. */
export interface ProxyLearning {
  /** What the proxy judges by. */
  readonly document: string;
  readonly isOfNothing: boolean;
  /** What it learns of: the proxy writes it. */
  readonly har: HarFile;
  /** Writes what has been learned so far. */
  write(): Promise<unknown>;
  /** Writes it for the last time. @returns the exit code, where no document judges the traffic */
  end(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Characters of exchanges that are learned of. */
const MOST_RECORDED = 2 ** 30;
/** Stands for no document: the proxy needs one. */
const NOTHING = { openapi: '3.1.0', info: { title: 'Learning', version: '' }, paths: {} };

/**
 * Keeps what passes in a file that only this user reads, until the end of the proxy: what is learned of is read several times.
 * @throws UsageError when the output cannot be written
 */
export async function learnOfProxy(options: LearningOptions): Promise<ProxyLearning> {
  const { output, target, document, load, say } = options;
  const [{ openHarFile }, { fileBehind, replaceFile, tryReplacing }] = await Promise.all([
    import('#proxy'),
    import('#whole-file'),
  ]);
  const refuse = (error: unknown): never => {
    throw new UsageError(`--learn: ${(error as Error).message}`);
  };
  try {
    const behind = fileBehind(output);
    if (behind !== undefined) tryReplacing(behind);
  } catch (error) {
    refuse(error);
  }
  const folder = await mkdtemp(join(tmpdir(), 'paddock-learn-'));
  const nothing = join(folder, 'nothing.json');
  await writeFile(nothing, JSON.stringify(NOTHING));
  const recorded = join(folder, 'traffic.har');
  const har = await openHarFile(recorded, { isPrivate: true, most: MOST_RECORDED });

  /** @returns the exit code of `paddock learn`; undefined: the traffic shows nothing of a service */
  async function learn(file: string): Promise<number | undefined> {
    if (har.dropped > 0) {
      const why = `they are more than ${MOST_RECORDED / 2 ** 30} GiB, or came faster than they were written`;
      say(`--learn: ${har.dropped} exchanges are not learned of: ${har.problem ?? why}`);
    }
    const { pathname } = new URL(target);
    const baseUrls = document === undefined && pathname === '/' ? undefined : [target];
    const learned = await learnFiles({ document, files: [file], baseUrls, minimum: 1, load }).catch(
      (error) => {
        if (!(error instanceof UsageError)) throw error;
        say(`--learn: ${error.message}`);
        return undefined;
      },
    );
    if (learned?.text === undefined) return learned?.code;
    try {
      replaceFile(output, learned.text);
    } catch (error) {
      refuse(error);
    }
    say(`--learn: ${output} has been written`);
    return learned.code;
  }

  const remove = () => rm(folder, { recursive: true, force: true });

  return {
    document: document ?? nothing,
    isOfNothing: document === undefined,
    har,
    async write() {
      // What passes meanwhile is of the next time.
      const copy = join(folder, 'copy.har');
      await har.copyTo(copy);
      return learn(copy);
    },
    async end() {
      try {
        await har.close();
        const code = await learn(recorded);
        return document === undefined ? (code ?? EXIT_NO_VERDICT) : undefined;
      } finally {
        await remove();
      }
    },
    async close() {
      await har.close();
      await remove();
    },
  };
}
