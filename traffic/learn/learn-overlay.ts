import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, type LoadOptions, loadContract, writeYaml } from '#spec';
import type { RecordedExchange } from '../har/recorded-exchange.ts';
import { findGap } from './close-gap.ts';
import type { OverlayChange } from './overlay-change.ts';

export interface OverlayOptions {
  /** Path or URL of the document. */
  readonly document: string;
  readonly load: Pick<LoadOptions, 'allowRefs' | 'overlays'>;
  readonly baseUrls?: readonly string[] | undefined;
  readonly minimum: number;
  /** Reads all of the traffic, each time from the start. */
  readonly read: () => AsyncIterable<RecordedExchange>;
  /** The texts of changes to leave out. Default: none. */
  readonly without?: readonly string[] | undefined;
}

export interface LearnedOverlay {
  /** As YAML. */
  readonly text: string;
  readonly changes: readonly OverlayChange[];
  /** Changes in other files than the document, which an overlay cannot make. */
  readonly unreachable: readonly string[];
  /** Exchanges with operations of the document, and others. */
  readonly matched: number;
  /** The document with the overlay. */
  readonly contract: Contract;
}

/** Loosening one part may uncover further violations below it. */
const MOST_ROUNDS = 12;

/**
 * Learns the OpenAPI Overlay by which a document covers the traffic. The traffic is read again with each part of it, until
 * nothing is missing.
 * @throws DocumentError for a document that cannot be read
 */
export async function learnOverlay(options: OverlayOptions): Promise<LearnedOverlay> {
  const { document, load, minimum, read, without = [] } = options;
  const baseUrls = options.baseUrls?.map((url) => new URL(url));
  const folder = await mkdtemp(join(tmpdir(), 'paddock-learn-'));
  const changes: OverlayChange[] = [];
  const decided = new Set<string>();
  try {
    const file = join(folder, 'overlay.yaml');
    let contract = await loadContract(document, load);
    const first = findGap(contract, baseUrls, undefined);
    for await (const exchange of read()) first.add(exchange);
    const proven = first.proven;
    let unreachable: ReadonlySet<string> = new Set();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const gap = findGap(contract, baseUrls, proven);
      for await (const exchange of read()) gap.add(exchange);
      unreachable = gap.unreachable;
      const candidates = gap.changes(minimum).filter(({ key }) => !decided.has(key));
      const taken: OverlayChange[] = [];
      for (const change of candidates) {
        if (decided.has(change.key)) continue;
        decided.add(change.key);
        // Schemas are included together with what refers to them.
        if (change.target === '$' || !without.includes(change.text)) taken.push(change);
      }
      if (taken.every(({ target }) => target === '$')) break;
      changes.push(...taken);
      await writeFile(file, writeYaml(overlayOf(contract, changes)));
      contract = await loadContract(document, { ...load, overlays: [...(load.overlays ?? []), file] });
    }
    return {
      text: writeYaml(overlayOf(contract, changes)),
      changes,
      unreachable: [...unreachable],
      matched: first.matched,
      contract,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function overlayOf({ title, version }: Contract, changes: readonly OverlayChange[]): object {
  return {
    overlay: '1.0.0',
    info: {
      title: `What recorded traffic shows beyond ${title || 'the document'}`,
      version: version || '0.0.0',
    },
    actions: changes.map(({ target, update, remove, text, kind, seen }) => ({
      target,
      description: `${kind === 'adds' ? 'Add' : 'Loosen'}: ${text}${Number.isFinite(seen) ? ` (seen ${seen} times)` : ''}`,
      ...(remove ? { remove } : { update }),
    })),
  };
}
