import type { PatientClient } from '../send/patience.ts';
import type { CaseLog } from './case-log.ts';
import { NotProvoked } from './not-reached.ts';

/**
 * Requests whose result serves several cases that run side by side. What they have shown is said of the first of
 * these cases in the order of all, as it is when one case runs after another.
 */
interface SharedWork {
  /** Stands for the case until that is known. */
  readonly id: string;
  readonly log: CaseLog;
  /** What it builds on. */
  readonly used: ReadonlySet<SharedWork>;
  /** What it sends goes over the connection of the case that began it. */
  readonly client: PatientClient;
  /** The other work that it waits for at present, whichever part of it does. */
  readonly awaited: Set<SharedWork>;
  over: boolean;
  adopted: boolean;
}

/** The result of shared work. */
export interface Shared<T> {
  readonly work: SharedWork;
  readonly value: Promise<T>;
}

/** Who does shared work. */
interface Doing {
  readonly log: CaseLog & { readonly sharing: Sharing };
  readonly client: PatientClient;
}

/** The work that one case shares with others, or a part of it, or work that is shared itself. */
export class Sharing {
  readonly #client: PatientClient;
  readonly #used = new Set<SharedWork>();
  /** The shared work that is done here; undefined: a case is. */
  #own: SharedWork | undefined;

  /** @param whole of the case, where it is that of a part */
  constructor(client: PatientClient, whole: Sharing | undefined) {
    this.#client = client;
    if (whole) this.#own = whole.#own;
  }

  /**
   * Work that is done once, for all cases; where it fails, the next case does it again.
   * @param doing makes who does it
   * @throws NotProvoked where it waits for what waits for it
   */
  async share<Key, Worker extends Doing['log'], T>(
    known: Map<Key, Shared<T>>,
    key: Key,
    doing: () => Worker,
    work: (worker: Worker) => Promise<T>,
  ): Promise<T> {
    const shared = known.get(key) ?? this.#begin(doing(), work);
    known.set(key, shared);
    this.#used.add(shared.work);
    const own = this.#own;
    if (own && waitsFor(shared.work, own))
      throw new NotProvoked('the values that it needs depend on each other');
    shared.value.catch(() => known.get(key) === shared && known.delete(key));
    own?.awaited.add(shared.work);
    try {
      // What is done over one's own connection nobody holds up.
      const isOthers = shared.work.client !== this.#client && !shared.work.over;
      return await (isOthers ? this.#client.aside(() => shared.value) : shared.value);
    } finally {
      own?.awaited.delete(shared.work);
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
    // Once it is known, so that it finds itself among the work that it waits for.
    const value = Promise.resolve().then(() => work(log));
    const end = () => {
      begun.over = true;
    };
    value.then(end, end);
    return { work: begun, value };
  }

  /** What a part of the case has used, the case has. */
  takePart(part: Sharing): void {
    for (const work of part.#used) this.#used.add(work);
  }

  /** The logs of the work that was used here, and that no case before has adopted; what it built on comes first. */
  adopt(onAdopted: (id: string) => void): CaseLog[] {
    return adopt(this.#used, onAdopted);
  }
}

/** Whether work waits for other work, or is the same: if that waited for it as well, neither would end. */
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
