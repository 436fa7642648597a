import type { LoadOptions } from '#spec';
import type { Remark } from '../har/recorded-exchange.ts';
import type { Glimpse, KnownSites } from '../observe/glimpse.ts';
import type { ObserveOptions } from '../observe/observed.ts';

/** By what a worker judges: it reads the document itself. */
export interface GlimpsedTarget {
  readonly document: string;
  readonly load: Pick<LoadOptions, 'allowRefs' | 'overlays' | 'strictDocument'>;
  readonly options: Pick<ObserveOptions, 'baseUrls' | 'only'>;
}

/** Entries of a HAR, one behind another in `bytes`. */
export interface GlimpseRequest {
  readonly id: number;
  /** The file beside which bodies may lie; undefined: it is a stream. */
  readonly path: string | undefined;
  readonly bytes: Uint8Array;
  readonly entries: readonly { readonly index: number; readonly line: number; readonly length: number }[];
  /** For each target. */
  readonly sites: readonly KnownSites[];
}

/** What an entry says by itself. */
export interface GlimpsedEntry {
  readonly startedAt: number | undefined;
  readonly ms: number | undefined;
  readonly remarks: readonly Remark[];
  /** For each target. */
  readonly glimpses: readonly (Glimpse | undefined)[];
}

export type GlimpseReply =
  /** The operations of each target, as a check that both have read the same document. */
  | { readonly ready: readonly (readonly string[])[] }
  /** Undefined: the entry is to be read anew. */
  | { readonly id: number; readonly entries: readonly (GlimpsedEntry | undefined)[] };
