import type { PatientClient } from '../send/patience.ts';
import type { CaseLog } from './case-log.ts';
import { NotProvoked } from './not-reached.ts';

/**
 * Requests whose result serves several concurrent cases. Its findings belong to the first of these cases in the overall
 * order, as if cases ran one after another.
 */
interface SharedWork {
  /** Stands for the case until that is determined. */
  readonly id: string;
  readonly log: CaseLog;
  /** The shared work that it uses. */
  readonly used: ReadonlySet<SharedWork>;
  /** It uses the connection of the case that started it. */
  readonly client: PatientClient;
  /** The other work that it currently waits for, in any of its parts. */
  readonly awaited: Set<SharedWork>;
  over: boolean;
  adopted: boolean;
}

/** The result of shared work. */
export interface Shared<T> {
  readonly work: SharedWork;
  readonly value: Promise<T>;
}

/** The one who does shared work. */
interface Doing {
  readonly log: CaseLog & { readonly sharing: Sharing };
  readonly client: PatientClient;
}

/** The shared work that a case, a part of it, or shared work itself uses. */
export class Sharing {
  readonly #client: PatientClient;
  readonly #used = new Set<SharedWork>();
  /** The shared work that this belongs to; undefined: a case. */
  #own: SharedWork | undefined;

  /** @param whole of the case, for a part of it */
  constructor(client: PatientClient, whole: Sharing | undefined) {
    this.#client = client;
    if (whole) this.#own = whole.#own;
  }

  /**
   * Does work once for all cases; if it fails, the next case does it again.
   * @param doing makes the worker
   * @throws NotProvoked if it would wait for itself
   */
  async share<Key, Worker extends Doing['log'], T>(
    cache: Map<Key, Shared<T>>,
    key: Key,
    doing: () => Worker,
    work: (worker: Worker) => Promise<T>,
  ): Promise<T> {
    const shared = cache.get(key) ?? this.#begin(doing(), work);
    cache.set(key, shared);
    this.#used.add(shared.work);
    const caller = this.#own;
    if (caller && waitsFor(shared.work, caller))
      throw new NotProvoked('the values that it needs depend on each other');
    shared.value.catch(() => cache.get(key) === shared && cache.delete(key));
    caller?.awaited.add(shared.work);
    try {
      // Work on the caller's own connection is never blocked by others.
      const isOthers = shared.work.client !== this.#client && !shared.work.over;
      return await (isOthers ? this.#client.aside(() => shared.value) : shared.value);
    } finally {
      caller?.awaited.delete(shared.work);
    }
  }

  #begin<Worker extends Doing['log'], T>(log: Worker, work: (worker: Worker) => Promise<T>): Shared<T> {
    const begun: SharedWork = {
      id: log.case.id,
      log,
      used: log.sharing.#used,
      client: this.#client,
      awaited: new Set(),
      over: false,
      adopted: false,
    };
    log.sharing.#own = begun;
    // Started after it is registered, so that a cycle is detected.
    const value = Promise.resolve().then(() => work(log));
    const end = () => {
      begun.over = true;
    };
    value.then(end, end);
    return { work: begun, value };
  }

  /** Adds the work that a part of the case used. */
  takePart(part: Sharing): void {
    for (const work of part.#used) this.#used.add(work);
  }

  /** The logs of used work that no earlier case has adopted; each follows what it used itself. */
  adopt(onAdopted: (id: string) => void): CaseLog[] {
    return adopt(this.#used, onAdopted);
  }
}

/** Whether work waits for other work, or is the same: the reverse dependency would be a deadlock. */
function waitsFor(one: SharedWork, other: SharedWork): boolean {
  return one === other || [...one.awaited].some((next) => waitsFor(next, other));
}

function adopt(used: ReadonlySet<SharedWork>, onAdopted: (id: string) => void): CaseLog[] {
  return [...used].flatMap((work) => {
    if (work.adopted) return [];
    work.adopted = true;
    onAdopted(work.id);
    return [...adopt(work.used, onAdopted), work.log];
  });
}
