import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HarFile } from '#proxy';
import { EXIT_NO_VERDICT } from './exit-codes.ts';
import { learnFiles } from './learn-files.ts';
import { UsageError } from './usage-error.ts';

export interface LearningOptions {
  /** The file for the document or overlay. */
  readonly output: string;
  readonly target: string;
  /** Undefined: a document is learned from the traffic alone. */
  readonly document: string | undefined;
  readonly load: { readonly allowRefs: readonly string[]; readonly overlays: readonly string[] };
  /** Receives messages for the user. */
  readonly say: (text: string) => void;
}

/** What a proxy learns while traffic passes. */
export interface ProxyLearning {
  /** The document by which the proxy validates. */
  readonly document: string;
  readonly isOfNothing: boolean;
  /** The recorded traffic, which the proxy writes. */
  readonly har: HarFile;
  /** Writes what was learned so far. */
  write(): Promise<unknown>;
  /** Writes it for the last time. @returns the exit code, if no document validates the traffic */
  end(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** The most characters of exchanges to learn from. */
const MOST_RECORDED = 2 ** 30;
/** A stand-in for a document, which the proxy needs. */
const NOTHING = { openapi: '3.1.0', info: { title: 'Learning', version: '' }, paths: {} };

/**
 * Records traffic in a file that only this user can read, until the proxy ends, since learning reads it several times.
 * @throws UsageError if the output cannot be written
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

  /** @returns the exit code of `paddock learn`; undefined: the traffic shows no service */
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
      // Later exchanges are for the next time.
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
