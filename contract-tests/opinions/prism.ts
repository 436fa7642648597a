import type { CaseResult } from '../case.ts';
import type { Run } from '../run.ts';
import { copyDocument } from './document-copy.ts';
import type { Installed } from './find-judge.ts';
import { type Hearing, Unheard } from './opinion.ts';
import { startPlayback } from './playback.ts';
import { createAskPrism } from './prism-ask.ts';
import { remarksOn } from './prism-remarks.ts';
import { startProgram } from './program.ts';
import { selfCheck } from './self-check.ts';

const PATIENCE = 30_000;

/**
 * Shows all exchanges of the run to Prism's validating proxy, the answers played back behind it. Without `--errors`:
 * with it Prism keeps from the target what it finds wrong itself, and lets undocumented statuses pass.
 */
export async function hearPrism(
  run: Run,
  results: readonly CaseResult[],
  installed: Installed,
): Promise<Hearing> {
  const [document, playback] = await Promise.all([copyDocument(run.contract), startPlayback()]);
  try {
    const args = ['proxy', document.file, playback.url, '--port', '0', '--host', '127.0.0.1'];
    const prism = await startProgram(
      installed,
      { args: [...args, '--no-multiprocess', '--no-cors'], folder: document.folder, patience: PATIENCE },
      /Prism is listening on (http:\S+)/,
    );
    const { ask, close } = createAskPrism(run.settings.base, playback, prism.found[1] ?? '');
    try {
      const eyes = await selfCheck(run, ask);
      if (eyes.blind) throw new Unheard('prism sees no broken body at all: its silence says nothing');
      return { judge: 'prism', version: installed.version, ...(await remarksOn(run, results, ask, eyes)) };
    } finally {
      close();
      await prism.stop();
    }
  } finally {
    await Promise.all([document.remove(), playback.close()]);
  }
}
