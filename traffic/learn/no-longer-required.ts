import { jsonPath, type Spot } from '#spec';
import type { OverlayChange } from './overlay-action.ts';

/** Gathers parameters, bodies and headers that the document requires, and exchanges lack. */
export class NoLongerRequired {
  readonly #root: Spot;
  readonly #found = new Map<string, { readonly where: string; seen: number }>();

  constructor(root: Spot) {
    this.#root = root;
  }

  /**
   * To be called once for each exchange.
   * @param spot of what is missing; undefined: the document does not have it
   * @param where it is missing, in words
   */
  add(spot: Spot | undefined, where: string): void {
    if (!spot || spot.file !== this.#root.file) return;
    const target = jsonPath(spot.path, this.#root.value);
    const found = this.#found.get(target) ?? { where, seen: 0 };
    found.seen += 1;
    this.#found.set(target, found);
  }

  changes(): OverlayChange[] {
    return [...this.#found].map(([target, { where, seen }]) => ({
      target,
      update: { required: false },
      key: `${target} required`,
      text: `${where}: no longer required`,
      kind: 'loosens',
      seen,
    }));
  }
}
