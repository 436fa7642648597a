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

/** The place of a case in the run, and its resources. */
interface CaseSetting {
  readonly place: CasePlace;
  readonly client: PatientClient;
  /** Undefined: those of the case with this number. */
  readonly marks?: Marks;
  /** Undefined: the case's share of the run's budget. */
  readonly room?: Room;
}

/** The breaches in one round of a sequence, which the next round may clear. */
interface Pending {
  readonly judgements: readonly Judgement[];
  readonly exchange: Exchange;
}

/** In milliseconds: long enough for values that change by themselves. */
const BETWEEN_LOOKS = 50;

/**
 * A running case: what it, and code that prepares data for it, may do and see. `Sender` (sends and judges), `Sharing`
 * (shared work) and `Room` (budget of records) are independent of each other.
 */
export class Trial extends CaseLog implements Run {
  readonly plan: Plan;
  readonly session: Session;
  readonly log: Log;
  /** Its position among the cases and their parts. */
  readonly place: CasePlace;
  /** For sending without concurrent requests, or removing its records. */
  readonly client: PatientClient;
  readonly marks: Marks;
  readonly room: Room;
  readonly sharing: Sharing;
  /** The requests that it has sent so far. */
  readonly trail = new Trail();
  /** The resources for which it uses the record that the run created for all cases. */
  readonly amongOwn = new Set<Resource>();
  readonly #sender: Sender;
  /** The current round of a sequence; `since` is when the first one began, undefined in that one. */
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
   * Sends a request, and judges the exchange. A safe one outside a sequence is repeated while a rule is broken that may
   * settle, since replicas lag.
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
        // It counts once, however often it is repeated.
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

  /** Sends a sequence of requests, again while a rule is broken that may settle. The last round counts. */
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

  /** A breach that cannot settle counts at once; of the others, only those of the last round do. */
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

  /** A changed number may be one that changes by itself: further reads of the record show that, once for each member. */
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

  /** Does work once for all cases; if it fails, the next case does it again. */
  share<Key extends Resource | Operation, T>(
    cache: Map<Key, Shared<T>>,
    key: Key,
    work: (trial: Trial) => Promise<T>,
  ): Promise<T> {
    return this.sharing.share(cache, key, () => this.#workerFor(key), work);
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

  /** Adopts the findings of shared work that no earlier case has used. */
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
   * Runs independent parts of a case, in parallel if cases are. Their results are taken in order.
   * @param creates the maximum number of records that each of them creates; undefined: they share the case's budget
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

  /** Sends one of several concurrent requests; only the response itself is judged. */
  async sendAmongOthers(operation: Operation, input: RequestInput): Promise<Judged> {
    const { judged, judgements } = await this.#sender.sendAmongOthers(operation, input);
    this.blame(judgements, judged);
    return judged;
  }

  /** Takes in the effect of a concurrent exchange on a record, once its order is known. */
  learn(exchange: Exchange): Evidence {
    return this.#sender.learn(exchange);
  }

  protected override sentUpTo({ request }: Exchange): readonly SentStep[] {
    return this.trail.upTo(request);
  }

  /** Reports breaches that follow from several exchanges, with the exchange that shows them best. */
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
