import type { Contract } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { Run } from '../run/run.ts';
import { createClient } from '../send/client.ts';
import { copyDocument } from './document-copy.ts';
import type { Installed } from './find-judge.ts';
import { type Hearing, Unheard } from './opinion.ts';
import { startPlayback } from './playback.ts';
import { type AskPrism, createAskPrism, LONGEST_THOUGHT } from './prism-ask.ts';
import { remarksOn } from './prism-remarks.ts';
import { startProgram } from './program.ts';
import { selfCheck } from './self-check.ts';

const PATIENCE = 30_000;

/** Prism's validating proxy of one document, with answers played back behind it: it may be asked about many runs. */
export interface Prism {
  /** @param base the target of the run that is spoken of */
  askAbout(base: URL): AskPrism;
  close(): Promise<void>;
}

/**
 * Shows all exchanges of the run to Prism's validating proxy, the answers played back behind it. Without `--errors`:
 * with it Prism keeps from the target what it finds wrong itself, and lets undocumented statuses pass.
 */
export async function hearPrism(
  run: Run,
  results: readonly CaseResult[],
  installed: Installed,
): Promise<Hearing> {
  const prism = await startPrism(run.contract, installed);
  try {
    const ask = prism.askAbout(run.settings.base);
    const eyes = await selfCheck(run, ask);
    if (eyes.blind) throw new Unheard('prism sees no broken body at all: its silence says nothing');
    return { judge: 'prism', version: installed.version, ...(await remarksOn(run, results, ask, eyes)) };
  } finally {
    await prism.close();
  }
}

/**
 * @param thought the longest time for one answer, in milliseconds
 * @throws Unheard
 */
export async function startPrism(
  contract: Contract,
  installed: Installed,
  thought: number = LONGEST_THOUGHT,
): Promise<Prism> {
  const [document, playback] = await Promise.all([copyDocument(contract), startPlayback()]);
  const tidyUp = () => Promise.all([document.remove(), playback.close()]);
  try {
    const args = ['proxy', document.file, playback.url, '--port', '0', '--host', '127.0.0.1'];
    const { found, stop } = await startProgram(
      installed,
      { args: [...args, '--no-multiprocess', '--no-cors'], folder: document.folder, patience: PATIENCE },
      /Prism is listening on (http:\S+)/,
    );
    const client = createClient({ timeout: thought, direct: true });
    return {
      askAbout: (base) => createAskPrism({ url: found[1] ?? '', playback, client }, base),
      async close() {
        client.close();
        await stop();
        await tidyUp();
      },
    };
  } catch (error) {
    await tidyUp();
    throw error;
  }
}
