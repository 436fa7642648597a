import { open } from 'node:fs/promises';
import type { RecordedExchange, Tally } from '#har';
import type { LearnedTraffic } from '#learn';
import { type Contract, count, type Mask, NO_MASK } from '#spec';
import { printable } from './terminal.ts';
import { NoVerdict, UsageError } from './usage-error.ts';

/** The input and options of learning. */
export interface Learning {
  /** Path or URL of the document whose overlay is written. Undefined: a document is written. */
  readonly document: string | undefined;
  /** HAR files and logs, which are read several times. */
  readonly files: readonly string[];
  readonly baseUrls: readonly string[] | undefined;
  readonly minimum: number;
  /** What must not appear in the output. Default: only secrets. */
  readonly mask?: Mask | undefined;
  readonly load: { readonly allowRefs: readonly string[]; readonly overlays: readonly string[] };
}

interface Learned {
  /** Undefined: the document needs no overlay. */
  readonly text: string | undefined;
  readonly code: number;
}

/**
 * Learns from recorded traffic, reports it on standard error, and validates the same traffic with the result.
 * @throws NoVerdict if there is nothing to learn, DocumentError, HarError
 */
export function learnFiles(learning: Learning): Promise<Learned> {
  const { document } = learning;
  return document === undefined ? writeDocument(learning) : writeOverlay(document, learning);
}

/** The first characters of a file. @throws UsageError if it cannot be read */
export async function beginningOf(file: string, most = BEGINNING): Promise<string> {
  try {
    await using handle = await open(file);
    const size = Math.min((await handle.stat()).size || most, most);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const BEGINNING = 2 ** 16;

async function* readTraffic(files: readonly string[], tally?: Tally): AsyncIterable<RecordedExchange> {
  const [{ readHar }, { readLog }] = await Promise.all([import('#har'), import('#learn')]);
  for (const file of files)
    for await (const item of (await isLog(file)) ? readLog(file) : readHar(file)) {
      tally?.add(item);
      if (!('problem' in item)) yield item;
    }
}

/** Whether a file has a line of JSON for each request: a HAR is one object that begins with `log`. */
async function isLog(file: string): Promise<boolean> {
  return /^\s*\{"type":"/.test(await beginningOf(file));
}

async function writeDocument({ files, baseUrls, minimum, mask = NO_MASK }: Learning): Promise<Learned> {
  const [{ createLearner, learnDocument, judgeLearned, maskExchange }, { createTally }] = await Promise.all([
    import('#learn'),
    import('#har'),
  ]);
  const learner = createLearner({ baseUrls });
  const tally = createTally();
  for await (const exchange of readTraffic(files, tally)) learner.add(maskExchange(exchange, mask));
  const learned = learner.result();
  if (learned.paths.length === 0) throw new NoVerdict(await whyNothing(learned, tally));
  const refused = new Set<string>();
  const { readContract, writeYaml } = await import('#spec');
  async function attempt() {
    const text = writeYaml(learnDocument(learned, { minimum, without: refused }));
    const contract = await readContract(text, 'the learned document');
    return { text, contract, judged: await judgeLearned(contract, readTraffic(files), baseUrls) };
  }
  let written = await attempt();
  if (written.judged.refuted.length > 0) {
    for (const parameter of written.judged.refuted) refused.add(parameter);
    written = await attempt();
  }
  const { text, contract, judged } = written;
  await sayLearned(learned, contract, tally);
  for (const parameter of refused)
    say(`left out, since responses are not as its name promises: ${parameter}`);
  return { text, code: sayJudged(judged.findings) };
}

async function writeOverlay(
  document: string,
  { files, baseUrls, minimum, mask = NO_MASK, load }: Learning,
): Promise<Learned> {
  const { judgeLearned, learnOverlay, maskExchange } = await import('#learn');
  async function* readMasked() {
    for await (const exchange of readTraffic(files)) yield maskExchange(exchange, mask);
  }
  const learn = (refuted: readonly string[]) =>
    learnOverlay({ document, load, baseUrls, minimum, without: refuted, read: readMasked });
  let learned = await learn([]);
  let judged = await judgeLearned(learned.contract, readTraffic(files), baseUrls);
  if (judged.refuted.some((one) => learned.changes.some(({ text }) => text === one))) {
    learned = await learn(judged.refuted);
    judged = await judgeLearned(learned.contract, readTraffic(files), baseUrls);
  }
  if (learned.matched === 0)
    throw new NoVerdict(
      `no exchange is for an operation of ${document}; --base-url names where the service is, and without a document one is written`,
    );
  const added = learned.changes.filter(({ target }) => target !== '$');
  for (const { text, kind, seen } of added)
    say(`${kind === 'adds' ? 'adds   ' : 'loosens'}  ${text}${Number.isFinite(seen) ? ` (${seen})` : ''}`);
  say(
    added.length === 0
      ? 'the document says all that the traffic shows: no overlay is written'
      : count(added.length, 'change'),
  );
  for (const place of learned.unreachable)
    say(`not changed, since it is in another file than the document: ${place}`);
  const text = added.length > 0 ? learned.text : undefined;
  return { text, code: sayJudged(judged.findings) };
}

function say(text: string): void {
  console.error(printable(text));
}

async function whyNothing(learned: LearnedTraffic, tally: Tally): Promise<string> {
  const { LEFT_OUT } = await import('#learn');
  if (tally.exchanges === 0) return 'there is nothing to learn: the files have no exchange';
  const reasons = [...learned.leftOut].map(([why, times]) => `${times} ${LEFT_OUT[why]}`);
  return `there is nothing to learn: of ${tally.exchanges} exchanges, ${reasons.join('; ')}`;
}

async function sayLearned(learned: LearnedTraffic, { operations }: Contract, tally: Tally): Promise<void> {
  const { LEFT_OUT } = await import('#learn');
  const where = `${learned.origin}${learned.basePath}`;
  const paths = new Set(operations.map(({ path }) => path));
  say(
    `learned of ${where}: ${count(paths.size, 'path')}, ${count(operations.length, 'operation')}, ${count(learned.learned, 'exchange')}`,
  );
  for (const [why, times] of learned.leftOut) say(`left out: ${times} ${LEFT_OUT[why]}`);
  const others = [...learned.others].slice(0, 5).map(([origin, times]) => `${origin} (${times})`);
  if (others.length > 0) say(`other origins: ${others.join(', ')}; --base-url chooses one of them`);
  const lacking = tally.counts.get('response-body-missing') ?? 0;
  if (lacking > 0)
    say(
      `${lacking} of ${tally.exchanges} response bodies are not in the files: their schemas cannot be learned; record with content`,
    );
  for (const line of tally.lines()) say(line);
}

type Findings = Awaited<ReturnType<typeof import('#learn')['judgeLearned']>>['findings'];

/** Reports remaining contradictions. @returns the exit code */
function sayJudged(findings: Findings): number {
  for (const { caseId, received, documented } of findings.slice(0, MOST_FINDINGS))
    say(`judge: ${caseId}: received ${received}; documented ${documented}`);
  if (findings.length > 0) say(`judge: the same traffic breaks it in ${count(findings.length, 'way')}`);
  else say('judge: the same traffic keeps it');
  return findings.length > 0 ? 1 : 0;
}

const MOST_FINDINGS = 20;
