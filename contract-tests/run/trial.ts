import { setTimeout as sleep } from 'node:timers/promises';
import { isNumber, type Operation, type Resource, SAFE_METHODS } from '#spec';
import { inWords, type Judgement } from '../laws/all-laws.ts';
import { type Evidence, recordIn, recordOf } from '../laws/evidence.ts';
import type { Breach } from '../laws/law.ts';
import type { Marks } from '../laws/mark.ts';
import { type CasePlace, SHARED, successStatuses } from '../laws/operation-role.ts';
import { driftingMembers, LOOKS, memberOf } from '../laws/own-records.ts';
import type { PatientClient } from '../send/patience.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { type Exchange, jsonOf } from '../send/response.ts';
import { type SentStep, Trail } from '../send/trail.ts';
import { Room } from './budget.ts';
import { CaseLog, type TrialSubject } from './case-log.ts';
import { ask } from './outgoing.ts';
import type { Log, Plan, Run, Session } from './run.ts';
import { type Judged, type Ruling, Sender } from './sender.ts';
import { type Shared, Sharing } from './shared-work.ts';

/** Where a case stands in the run, and what it has there. */
interface CaseSetting {
  readonly place: CasePlace;
  readonly client: PatientClient;
  /** Undefined: those of the case with this number. */
  readonly marks?: Marks;
  /** Undefined: what the case gets of the run's budget. */
  readonly room?: Room;
}

/** What a round of a sequence breaks, and may no longer break in the next one. */
interface Pending {
  readonly judgements: readonly Judgement[];
  readonly exchange: Exchange;
}

/** In milliseconds: what goes on by itself goes on meanwhile. */
const BETWEEN_LOOKS = 50;

/**
 * One case at work: what it, and what arranges something for it, may do and see. Who sends and judges (`Sender`), who has the
 * work that cases share (`Sharing`) and who keeps room for records (`Room`) know nothing of each other's business.
 */
export class Trial extends CaseLog implements Run {
  readonly plan: Plan;
  readonly session: Session;
  readonly log: Log;
  /** Where it stands among the cases and their parts. */
  readonly place: CasePlace;
  /** To send nothing else meanwhile, or to remove what it has made. */
  readonly client: PatientClient;
  readonly marks: Marks;
  readonly room: Room;
  readonly sharing: Sharing;
  /** What it has sent so far. */
  readonly trail = new Trail();
  /** The resources of which it works with the record that the run has made for all cases. */
  readonly amongOwn = new Set<Resource>();
  readonly #sender: Sender;
  /** The round of a sequence at work; `since` says when its first one began, where this is none. */
  #round: { readonly since: number | undefined; readonly pending: Pending[] } | undefined;

  constructor(run: Run, subject: TrialSubject, { place, client, marks, room }: CaseSetting, whole?: Trial) {
    super(subject, run.plan);
    this.plan = run.plan;
    this.session = run.session;
    this.log = run.log;
    this.place = place;
    this.client = client;
    this.marks = marks ?? run.plan.marks.of(`${(place[0] ?? 0) + 1}c`);
    this.room = room ?? new Room(run, run.plan.budget.allowanceOf(place));
    this.sharing = new Sharing(client, whole?.sharing);
    for (const resource of whole?.amongOwn ?? []) this.amongOwn.add(resource);
    if (whole) this.trail.take(whole.trail);
    this.#sender = new Sender(this);
  }

  /**
   * Sends one request, and judges the exchange. A safe one that is no part of a sequence is repeated while a law is broken
   * that may settle, since replicas lag.
   */
  async send(operation: Operation, input: RequestInput): Promise<Judged> {
    if (this.#round || !SAFE_METHODS.has(operation.method))
      return (await this.#once(operation, input, this.#round?.since)).judged;
    const { patience, model } = this.session;
    const began = model.now();
    const looks: Readonly<Record<string, unknown>>[] = [];
    let repeats: Judged | undefined;
    const { judged, judgements } = await patience.untilSettled(
      async () => {
        // One request, however often it is sent.
        if (repeats) this.trail.drop(repeats.request);
        const ruling = await this.#once(operation, input, began);
        repeats = ruling.judged;
        looks.push(...[recordOf(ruling.judged.evidence) ?? []].flat());
        return ruling;
      },
      (seen) => breachesOf(seen.judgements.filter(({ law }) => law.settles === 'request')),
      this.client.alone,
    );
    if (!judged.sound && !input.presented) model.observe(judged.evidence, true);
    const { role } = judged.evidence;
    if (role?.action === 'read') model.noteDrifting(role.resource, driftingMembers(looks));
    this.blame(
      judgements.filter(({ law }) => law.settles),
      judged,
    );
    return judged;
  }

  /** Sends a sequence of requests, again while a law is broken that may settle. The last round counts. */
  async settle<T>(drive: () => Promise<T>): Promise<T> {
    let began: number | undefined;
    this.trail.beginRound();
    const { value, pending } = await this.session.patience.untilSettled(
      async () => {
        const round = { since: began, pending: [] };
        began ??= this.session.model.now();
        this.#sender.beginSequence();
        this.trail.repeatRound();
        this.#round = round;
        try {
          return { value: await drive(), pending: round.pending as readonly Pending[] };
        } finally {
          this.#round = undefined;
        }
      },
      (round) => round.pending.flatMap(({ judgements }) => breachesOf(judgements)),
      this.client.alone,
    );
    this.trail.endRound();
    for (const { judgements, exchange } of pending) this.blame(judgements, exchange);
    return value;
  }

  /** A breach that cannot settle counts at once; of the others only those of the last round do. */
  async #once(operation: Operation, input: RequestInput, since: number | undefined): Promise<Ruling> {
    const ruling = await this.#sender.send(operation, input, since);
    const { judged, judgements } = ruling;
    const mayPass = this.#round !== undefined || SAFE_METHODS.has(operation.method);
    const maySettle = ({ law }: Judgement) => law.settles !== undefined && mayPass;
    const later = judgements.filter(maySettle);
    if (later.length > 0) this.#round?.pending.push({ judgements: later, exchange: judged });
    this.blame(
      judgements.filter((judgement) => !maySettle(judgement)),
      judged,
    );
    if (judged.sound) this.reached.add(`${operation.id}/${judged.response.status}`);
    await this.#lookForDrift(ruling);
    return ruling;
  }

  /** A number that is not as it was may go on by itself: that some more looks at the record show, once for each member. */
  async #lookForDrift({ judged, judgements }: Ruling): Promise<void> {
    const { client } = this;
    const { operation, input, evidence } = judged;
    const { role } = evidence;
    const first = judgements.length > 0 && role?.action === 'read' ? recordOf(evidence) : undefined;
    if (!role || !first) return;
    const numbers = breachesOf(judgements)
      .flatMap((breach) => memberOf(breach) ?? [])
      .filter((name) => isNumber(first[name]));
    if (!this.session.model.suspectDrift(role.resource, numbers)) return;
    const looks = [first];
    while (looks.length < LOOKS && this.plan.budget.takeRequest()) {
      await sleep(BETWEEN_LOOKS);
      const { response } = await ask(this, client, { operation, input });
      looks.push(...[recordIn(role.resource, operation, jsonOf(response)) ?? []].flat());
    }
    this.session.model.noteDrifting(role.resource, driftingMembers(looks));
  }

  /** Work that is done once, for all cases; where it fails, the next case does it again. */
  share<Key extends Resource | Operation, T>(
    known: Map<Key, Shared<T>>,
    key: Key,
    work: (trial: Trial) => Promise<T>,
  ): Promise<T> {
    return this.sharing.share(known, key, () => this.#workerFor(key), work);
  }

  #workerFor(key: Resource | Operation): Trial {
    const { client } = this;
    const { resources, operations } = this.plan.contract;
    const id = `shared ${'method' in key ? key.id : key.path}`;
    const operation = 'method' in key ? key : (key.actions.list ?? key.actions.create ?? this.case.operation);
    const [status = this.case.status] = successStatuses(operation);
    const index = 'method' in key ? resources.length + operations.indexOf(key) : resources.indexOf(key);
    const marks = this.plan.marks.of(`${index}s`);
    return new Trial(this, { id, operation, status }, { place: [SHARED], client, marks });
  }

  /** Takes over what shared work has shown that no case before this one has used. */
  adoptShared(): void {
    const { ledger, wireLog } = this.log;
    const caseId = this.case.id;
    const adopted = this.sharing.adopt((id) => {
      ledger.rename(id, caseId);
      wireLog?.rename(id, caseId);
    });
    this.takeShared(adopted);
  }

  /**
   * Parts of a case that do not depend on each other: where cases run side by side, they do so, too. What they show
   * is taken in their order.
   * @param creates how many records each of them makes at most; undefined: they share what the case may make
   */
  async together(drives: readonly ((part: Trial) => Promise<unknown>)[], creates?: number): Promise<void> {
    const parts: Promise<{ part: Trial; failed: { error: unknown } | undefined }>[] = [];
    for (const [index, drive] of drives.entries()) {
      parts.push(this.#runPart(drive, index + 1, creates));
      if (this.plan.settings.jobs === 1) await parts.at(-1);
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
    const part = new Trial(this, this.case, { place, client: this.client, marks, room }, this);
    const failed = await drive(part).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    end();
    return { part, failed };
  }

  /** Sends one of several requests that are sent at once; the response is judged by itself. */
  async sendAmongOthers(operation: Operation, input: RequestInput): Promise<Judged> {
    const { judged, judgements } = await this.#sender.sendAmongOthers(operation, input);
    this.blame(judgements, judged);
    return judged;
  }

  /** The run knows what an exchange among others has done to a record, once its place in the order is known. */
  learn(exchange: Exchange): Evidence {
    return this.#sender.learn(exchange);
  }

  protected override sentUpTo({ request }: Exchange): readonly SentStep[] {
    return this.trail.upTo(request);
  }

  /** Breaches that follow from several exchanges; the one given shows it best. */
  found(breaches: readonly Breach[], exchange: Exchange): void {
    const law = { about: 'sequence' } as const;
    this.blame(
      breaches.map((breach) => ({ law, breach: inWords(this.plan.contract, exchange, breach) })),
      exchange,
    );
  }
}

function breachesOf(judgements: readonly Judgement[]): Breach[] {
  return judgements.map(({ breach }) => breach);
}
