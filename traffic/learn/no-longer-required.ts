import type { Spot } from '#spec';
import { jsonPath, type OverlayChange } from './overlay-action.ts';

/** Gathers parameters, bodies and headers that the document requires, and exchanges lack. */
export class NoLongerRequired {
  readonly #root: Spot;
  readonly #found = new Map<string, string>();

  constructor(root: Spot) {
    this.#root = root;
  }

  /** @param spot of what is missing; undefined: the document does not have it @param where it is missing, in words */
  add(spot: Spot | undefined, where: string): void {
    if (!spot || spot.file !== this.#root.file) return;
    const target = jsonPath(spot.path, this.#root.value);
    if (!this.#found.has(target)) this.#found.set(target, where);
  }

  changes(): OverlayChange[] {
    return [...this.#found].map(([target, where]) => ({
      target,
      update: { required: false },
      key: `${target} required`,
      text: `${where}: no longer required`,
      kind: 'loosens',
      seen: Number.POSITIVE_INFINITY,
    }));
  }
}
