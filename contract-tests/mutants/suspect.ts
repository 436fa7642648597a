import { fileURLToPath } from 'node:url';
import type { CheckOptions } from '../check-options.ts';
import type { LawName as Law } from '../laws/law.ts';
import type { Behaviour } from './by-hand/behaviour.ts';
import { startShop } from './by-hand/shop.ts';

/** A service under the suite, on a loopback port. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** A service that the suite is tried on. */
export interface Suspect {
  readonly name: string;
  /** What is wrong with it, or how it differs, in a sentence. */
  readonly says: string;
  /** The document that it is checked against. */
  readonly document: string;
  readonly start: () => Promise<Target>;
  /** How it is checked, where that is not as all are. */
  readonly options?: Partial<CheckOptions>;
}

/** A service with one fault. */
export interface Mutant extends Suspect {
  /** It must break one of these laws at least. Empty: it only keeps cells from being reached. */
  readonly breaks: readonly Law[];
  /** 1, but where the design says that the environment's faults are no findings. */
  readonly exitCode: 1 | 3 | 4;
}

/** A service that differs in what the document leaves open, and keeps the contract. */
export type Lookalike = Suspect;

export const SHIPPED_DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

/** Some faults keep a memory: each start makes the behaviour anew. */
export type MakeBehaviour = () => Partial<Behaviour>;

/** A mutant of the shop that was written by hand. */
export function faultyShop(
  name: string,
  says: string,
  breaks: Law | readonly Law[],
  make: MakeBehaviour,
  { exitCode = 1, options = {} }: Partial<Pick<Mutant, 'exitCode' | 'options'>> = {},
): Mutant {
  return { ...shopSuspect(name, says, make, options), breaks: [breaks].flat(), exitCode };
}

export function otherShop(
  name: string,
  says: string,
  make: MakeBehaviour,
  options: Partial<CheckOptions> = {},
): Lookalike {
  return shopSuspect(name, says, make, options);
}

function shopSuspect(
  name: string,
  says: string,
  make: MakeBehaviour,
  options: Partial<CheckOptions>,
): Suspect {
  return { name, says, document: SHIPPED_DOCUMENT, start: () => startShop(make()), options };
}
