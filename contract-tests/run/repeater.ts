import { setTimeout as sleep } from 'node:timers/promises';
import { isNumber, type Operation, SAFE_METHODS } from '#spec';
import type { Judgement } from '../laws/all-laws.ts';
import { driftingMembers, LOOKS, memberOf } from '../laws/drift.ts';
import { recordIn, recordOf } from '../laws/evidence.ts';
import type { Breach } from '../laws/law.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { decodeResponse, type Exchange, jsonOf } from '../send/response.ts';
import type { CaseLog } from './case-log.ts';
import { outgoing, sendOutgoing } from './outgoing.ts';
import type { Judged, Ruling, Sender, Worker } from './sender.ts';

/** What a round of a sequence breaks, and may no longer break in the next one. */
interface Pending {
  readonly judgements: readonly Judgement[];
  readonly exchange: Exchange;
}

/** In milliseconds: what goes on by itself goes on meanwhile. */
const BETWEEN_LOOKS = 50;

/** Repeats what breaks a law that may settle, since replicas lag, and reports what then is broken still. */
export class Repeater {
  readonly #for: Worker;
  readonly #log: CaseLog;
  readonly #sender: Sender;
  /** The round of a sequence at work; `since` says when its first one began, where this is none. */
  #round: { readonly since: number | undefined; readonly pending: Pending[] } | undefined;

  constructor(worker: Worker, log: CaseLog, sender: Sender) {
    this.#for = worker;
    this.#log = log;
    this.#sender = sender;
  }

  /** Sends one request. A safe one that is no part of a sequence is repeated while a law is broken that may settle. */
  async send(operation: Operation, input: RequestInput): Promise<Judged> {
    if (this.#round || !SAFE_METHODS.has(operation.method))
      return (await this.#once(operation, input, this.#round?.since)).judged;
    const { trail, run } = this.#for;
    const { patience, model } = run;
    const began = model.now();
    const looks: Readonly<Record<string, unknown>>[] = [];
    let repeats: Judged | undefined;
    const { judged, judgements } = await patience.untilSettled(
      async () => {
        // One request, however often it is sent.
        if (repeats) trail.drop(repeats.request);
        const ruling = await this.#once(operation, input, began);
        repeats = ruling.judged;
        looks.push(...[recordOf(ruling.judged.evidence) ?? []].flat());
        return ruling;
      },
      (seen) => breachesOf(seen.judgements.filter(({ law }) => law.settles === 'request')),
      this.#for.client.alone,
    );
    if (!judged.sound && !input.presented) model.observe(judged.evidence, true);
    const { role } = judged.evidence;
    if (role?.action === 'read') model.noteDrifting(role.resource, driftingMembers(looks));
    this.#log.blame(
      judgements.filter(({ law }) => law.settles),
      judged,
    );
    return judged;
  }

  /** Sends a sequence of requests, again while a law is broken that may settle. The last round counts. */
  async settle<T>(drive: () => Promise<T>): Promise<T> {
    const { trail } = this.#for;
    let began: number | undefined;
    trail.beginRound();
    const { value, pending } = await this.#for.run.patience.untilSettled(
      async () => {
        const round = { since: began, pending: [] };
        began ??= this.#for.run.model.now();
        this.#sender.beginSequence();
        trail.repeatRound();
        this.#round = round;
        try {
          return { value: await drive(), pending: round.pending as readonly Pending[] };
        } finally {
          this.#round = undefined;
        }
      },
      (round) => round.pending.flatMap(({ judgements }) => breachesOf(judgements)),
      this.#for.client.alone,
    );
    trail.endRound();
    for (const { judgements, exchange } of pending) this.#log.blame(judgements, exchange);
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
    this.#log.blame(
      judgements.filter((judgement) => !maySettle(judgement)),
      judged,
    );
    if (judged.sound) this.#log.reached.add(`${operation.id}/${judged.response.status}`);
    await this.#lookForDrift(ruling);
    return ruling;
  }

  /** A number that is not as it was may go on by itself: that some more looks at the record show, once for each member. */
  async #lookForDrift({ judged, judgements }: Ruling): Promise<void> {
    const { run, client } = this.#for;
    const { operation, input, evidence } = judged;
    const { role } = evidence;
    const first = judgements.length > 0 && role?.action === 'read' ? recordOf(evidence) : undefined;
    if (!role || !first) return;
    const numbers = judgements
      .flatMap(({ breach }) => memberOf(breach) ?? [])
      .filter((name) => isNumber(first[name]));
    if (!run.model.suspectDrift(role.resource, numbers)) return;
    const looks = [first];
    while (looks.length < LOOKS && run.budget.takeRequest()) {
      await sleep(BETWEEN_LOOKS);
      const sent = await outgoing(run, operation, input);
      const wire = await sendOutgoing(run, client, operation, sent, { input });
      const response = decodeResponse(wire, operation);
      looks.push(...[recordIn(role.resource, operation, jsonOf(response)) ?? []].flat());
    }
    run.model.noteDrifting(role.resource, driftingMembers(looks));
  }
}

function breachesOf(judgements: readonly Judgement[]): Breach[] {
  return judgements.map(({ breach }) => breach);
}
