import type { Operation, Resource } from '#spec';
import type { Evidence } from '../laws/evidence.ts';
import type { Finding, Observation } from '../laws/finding.ts';
import type { Breach, Law } from '../laws/law.ts';
import type { Marks } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { type CasePlace, SHARED } from '../laws/own-record.ts';
import type { PatientClient } from '../send/patience.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { Exchange } from '../send/response.ts';
import { type SentStep, Trail } from '../send/trail.ts';
import { Room } from './budget.ts';
import { CaseLog, type TrialSubject } from './case-log.ts';
import { Repeater } from './repeater.ts';
import type { Run } from './run.ts';
import { type Judged, Sender } from './sender.ts';
import { type Shared, Sharing } from './shared-work.ts';

/** What a case, and what arranges something for it, may do and see. */
export interface Trial {
  readonly run: Run;
  readonly case: TrialSubject;
  /** Where it stands among the cases and their parts. */
  readonly place: CasePlace;
  /** To send nothing else meanwhile, or to remove what it has made. */
  readonly client: PatientClient;
  readonly marks: Marks;
  readonly room: Pick<Room, 'take'>;
  /** The resources of which it works with the record that the run has made for all cases. */
  readonly amongOwn: Set<Resource>;
  /** What it has sent so far. */
  readonly trail: Trail;
  /** What it has found so far. */
  readonly findings: Finding[];

  /** Sends one request and judges the exchange. A safe one is repeated while a law is broken that may settle. */
  send(operation: Operation, input: RequestInput): Promise<Judged>;
  /** Sends a sequence of requests, again while a law is broken that may settle. The last round counts. */
  settle<T>(drive: () => Promise<T>): Promise<T>;
  /** Work that is done once, for all cases; where it fails, the next case does it again. */
  share<Key extends Resource | Operation, T>(
    known: Map<Key, Shared<T>>,
    key: Key,
    work: (trial: Trial) => Promise<T>,
  ): Promise<T>;
  /**
   * Parts of a case that do not depend on each other: where cases run side by side, they do so, too. What they show
   * is taken in their order.
   * @param creates how many records each of them makes at most; undefined: they share what the case may make
   */
  together(drives: readonly ((part: Trial) => Promise<unknown>)[], creates?: number): Promise<void>;

  /** Sends one of several requests that are sent at once; the response is judged by itself. */
  sendAmongOthers(operation: Operation, input: RequestInput): Promise<Judged>;
  /** The run knows what an exchange among others has done to a record, once its place in the order is known. */
  learn(exchange: Exchange): Evidence;
  /** A breach that follows from several exchanges; the one given shows it best. */
  found(law: Law, breaches: readonly Breach[], exchange: Exchange): void;

  /**
   * The document is silent here: what the target did is reported, and judged by nobody.
   *
   * @param about a question that other cases of the operation ask as well, and what came: reports show it once
   */
  leaveOpen(text: string, about?: Pick<Observation, 'question' | 'answer'>): void;
  notice(text: string): void;
  /** A cell, as `OPERATIONID/STATUS`, was seen that no response shows. */
  reach(cell: string): void;
}

/** Where a case stands in the run, and what it has there. */
interface CaseSetting {
  readonly place: CasePlace;
  readonly client: PatientClient;
  /** Undefined: those of the case with this number. */
  readonly marks?: Marks;
  /** Undefined: what the case gets of the run's budget. */
  readonly room?: Room;
}

/**
 * One case at work. Who sends and judges (`Sender`), who repeats until it settles (`Repeater`), who has
 * the work that cases share (`Sharing`) and who keeps room for records (`Room`) know nothing of each other's business.
 */
export class CaseAtWork extends CaseLog implements Trial {
  readonly run: Run;
  readonly place: CasePlace;
  readonly client: PatientClient;
  readonly marks: Marks;
  readonly room: Room;
  readonly sharing: Sharing;
  readonly trail = new Trail();
  readonly amongOwn = new Set<Resource>();
  readonly #sender: Sender;
  readonly #repeater: Repeater;

  constructor(
    run: Run,
    subject: TrialSubject,
    { place, client, marks, room }: CaseSetting,
    whole?: CaseAtWork,
  ) {
    super(subject, run);
    this.run = run;
    this.place = place;
    this.client = client;
    this.marks = marks ?? run.marks.of(`${(place[0] ?? 0) + 1}c`);
    this.room = room ?? new Room(run, run.budget.allowanceOf(place));
    this.sharing = new Sharing(client, whole?.sharing);
    for (const resource of whole?.amongOwn ?? []) this.amongOwn.add(resource);
    if (whole) this.trail.take(whole.trail);
    this.#sender = new Sender(this);
    this.#repeater = new Repeater(this, this, this.#sender);
  }

  send(operation: Operation, input: RequestInput): Promise<Judged> {
    return this.#repeater.send(operation, input);
  }

  settle<T>(drive: () => Promise<T>): Promise<T> {
    return this.#repeater.settle(drive);
  }

  share<Key extends Resource | Operation, T>(
    known: Map<Key, Shared<T>>,
    key: Key,
    work: (trial: Trial) => Promise<T>,
  ): Promise<T> {
    return this.sharing.share(known, key, () => this.#workerFor(key), work);
  }

  #workerFor(key: Resource | Operation): CaseAtWork {
    const { run, client } = this;
    const { resources, operations } = run.contract;
    const id = `shared ${'method' in key ? key.id : key.path}`;
    const operation = 'method' in key ? key : (key.actions.list ?? key.actions.create ?? this.case.operation);
    const [status = this.case.status] = successStatuses(operation);
    const index = 'method' in key ? resources.length + operations.indexOf(key) : resources.indexOf(key);
    const marks = run.marks.of(`${index}s`);
    return new CaseAtWork(run, { id, operation, status }, { place: [SHARED], client, marks });
  }

  /** Takes over what shared work has shown that no case before this one has used. */
  adoptShared(): void {
    const { ledger, wireLog } = this.run;
    const caseId = this.case.id;
    const adopted = this.sharing.adopt((id) => {
      ledger.rename(id, caseId);
      wireLog?.rename(id, caseId);
    });
    this.takeShared(adopted);
  }

  async together(drives: readonly ((part: Trial) => Promise<unknown>)[], creates?: number): Promise<void> {
    const parts: Promise<{ part: CaseAtWork; failed: { error: unknown } | undefined }>[] = [];
    for (const [index, drive] of drives.entries()) {
      parts.push(this.#runPart(drive, index + 1, creates));
      if (this.run.settings.jobs === 1) await parts.at(-1);
    }
    for (const { part, failed } of await Promise.all(parts)) {
      this.takePart(part);
      this.trail.take(part.trail);
      this.sharing.takePart(part.sharing);
      for (const resource of part.amongOwn) this.amongOwn.add(resource);
      if (failed) throw failed.error;
    }
  }

  async #runPart(drive: (part: Trial) => Promise<unknown>, number: number, creates: number | undefined) {
    const { room, end } = this.room.part(creates);
    const place = [...this.place, number];
    const marks = this.marks.of(`${number}p`);
    const part = new CaseAtWork(this.run, this.case, { place, client: this.client, marks, room }, this);
    const failed = await drive(part).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    end();
    return { part, failed };
  }

  async sendAmongOthers(operation: Operation, input: RequestInput): Promise<Judged> {
    const { judged, judgements } = await this.#sender.sendAmongOthers(operation, input);
    this.blame(judgements, judged);
    return judged;
  }

  learn(exchange: Exchange): Evidence {
    return this.#sender.learn(exchange);
  }

  protected override sentUpTo({ request }: Exchange): readonly SentStep[] {
    return this.trail.upTo(request);
  }

  found(law: Law, breaches: readonly Breach[], exchange: Exchange): void {
    this.blame(
      breaches.map((breach) => ({ law, breach })),
      exchange,
    );
  }
}
