import {
  bodyMedia,
  isRecord,
  memberShape,
  type Operation,
  pathParameters,
  type Resource,
  SAFE_METHODS,
  tellingMembers,
} from '#spec';
import { ALL_TAKEN, isTaken } from '../arrange/creation.ts';
import { freshId } from '../arrange/made-up.ts';
import { tidyAfter } from '../arrange/tidy.ts';
import type { Case } from '../cases/case.ts';
import { attempt, untilEnded } from '../cases/execute.ts';
import { ALL_LAWS } from '../laws/all-laws.ts';
import { type Finding, saysGone } from '../laws/finding.ts';
import { isIdName, markPattern, recordSent } from '../laws/mark.ts';
import { creatorOf, resourceOf } from '../laws/operation-role.ts';
import { createRecordModel } from '../laws/record-model.ts';
import type { Room } from '../run/budget.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Plan, Run } from '../run/run.ts';
import { Trial } from '../run/trial.ts';
import type { PatientClient } from '../send/patience.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { idAt, type SentStep } from '../send/trail.ts';
import { type Data, TimeIsOver } from '../send/wire.ts';
import { closed, inGroups, LONGEST, makerOf, type Reproduction } from './reproduction.ts';

/** A finding with its possible reproductions, the shortest first. */
export interface Ranked {
  readonly finding: Finding;
  readonly reproductions: readonly Reproduction[];
}

/** The result of an attempt; the steps are the requests that were sent, up to the finding. */
export type Shown = { readonly shown: true; readonly steps: readonly SentStep[] } | { readonly shown: false };

type Try =
  | Shown
  /** No result: something else prevented the attempt. */
  | { readonly shown: undefined; readonly reason: string };

/** The context of an attempt. */
export interface Attempt {
  readonly run: Run;
  /** The case that reported the finding. */
  readonly case: Case;
  /** Unique among the attempts. */
  readonly place: number;
  readonly room: Room;
  /** The time after which nothing is sent, on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** A way to reproduce a finding. */
export interface Way {
  readonly attempt: (context: Attempt) => Promise<Try>;
  /** The number of requests; infinite for the whole case. */
  readonly length: number;
  /** Whether it is too long to be printed. */
  readonly wholeCase: boolean;
}

/** A case with more requests is not repeated as a whole. */
const MOST_REQUESTS = 100;

/** The ways to reproduce a finding, the shortest first. */
export function waysToTry(
  { plan: { budget, settings } }: Run,
  { finding, reproductions }: Ranked,
  one: Case,
): Way[] {
  const { trail } = finding;
  const last = trail.at(-1);
  // Only its case can judge the effect of concurrent requests, and the user's requests are repeated as a whole.
  const isJudgedByLaw = [...ALL_LAWS, ...settings.laws].some(({ name }) => name === finding.law);
  const mayReplay = isJudgedByLaw && !trail.some(({ amongOthers }) => amongOthers) && !last?.input.provoked;
  return [
    ...(mayReplay
      ? reproductions
          .filter((reproduction) => !isOld(reproduction, finding))
          .map((reproduction) => ({
            attempt: (context: Attempt) => replay(context, reproduction, finding),
            length: reproduction.steps.length,
            wholeCase: false,
          }))
      : []),
    ...(budget.requestsOf(one) <= MOST_REQUESTS
      ? [
          {
            attempt: (context: Attempt) => tryOnce(context, finding, context.case.run),
            length: Number.POSITIVE_INFINITY,
            wholeCase: trail.length > LONGEST,
          },
        ]
      : []),
  ];
}

/** Whether a reproduction only shows the old state: a missing record that it does not create proves nothing. */
export function isOld({ needsData, steps }: Reproduction, finding: Finding): boolean {
  const makesNone = steps.every(({ operation }) => SAFE_METHODS.has(operation.method));
  // Others may have created what a list shows beside the run's records.
  const namesOthers = needsData && pathParameters(finding.exchange.operation.path).length > 0;
  return saysGone(finding) && (makesNone || namesOthers);
}

/** Sends the requests of a reproduction with new values, and looks for a finding with the same key. */
function replay(context: Attempt, { steps }: Reproduction, finding: Finding): Promise<Try> {
  return tryOnce(context, finding, async (trial) => {
    const renewal = new Renewal(trial);
    for (const round of inGroups(steps, (step, before) => step.round && step.round === before.round)) {
      const send = () => sendAll(trial, round, renewal, steps.at(-1));
      await (round[0]?.round ? trial.settle(send) : send());
    }
  });
}

async function tryOnce(
  { run: whole, case: one, place, room, deadline }: Attempt,
  finding: Finding,
  work: Case['run'],
): Promise<Try> {
  const { key, exchange } = finding;
  const run = saysGone(finding) ? fromNothing(whole) : whole;
  // Its records are distinguished from those of other attempts until they are removed.
  const id = `${one.id} again ${place}`;
  return run.session.connections.use(async (client) => {
    const subject = { ...one, id, run: work };
    const trial = new Trial(run, subject, { place: [place], client: endingAt(client, deadline), room });
    const reason = await attempt(trial, subject);
    if (!run.session.ended.aborted) await untilEnded(run.session, tidyAfter(run, id, client));
    run.log.ledger.rename(id, one.id);
    run.log.wireLog?.rename(id, one.id);
    const match = trial.findings.find((one) => one.key === key);
    // Including what other cases created for it.
    if (match) return { shown: true, steps: closed(run, match.trail, match.trail) };
    // Requests that serve several cases count for all of them.
    const isSent = trial.trail.steps.some(({ operation }) => operation === exchange.operation);
    if (reason === undefined && isSent) return { shown: false };
    return { shown: undefined, reason: reason?.text ?? 'its case does not send the request again' };
  });
}

/** The run without its records and observations: nothing is expected of the old ones. */
function fromNothing(run: Run): Run {
  const cache = {
    ...run.session.cache,
    lists: new Map(),
    ownIds: new Map(),
    spentIds: new Map(),
    linked: new Map(),
  };
  return { ...run, session: { ...run.session, cache, model: createRecordModel() } };
}

function endingAt(client: PatientClient, deadline: number): PatientClient {
  return {
    ...client,
    send: async (...args) => {
      if (performance.now() > deadline) throw new TimeIsOver();
      return client.send(...args);
    },
  };
}

/** @throws NotReached if a preparing request is rejected */
async function sendAll(
  trial: Trial,
  steps: readonly SentStep[],
  renewal: Renewal,
  last: SentStep | undefined,
): Promise<void> {
  for (const step of steps) {
    const { operation, created, status = 0 } = step;
    const input = renewal.inputOf(step);
    await demandFreeId(trial, operation, input, renewal);
    const { response } = await trial.send(operation, input);
    if (created) {
      const id = created.at === undefined ? renewal.chosenId(step) : idAt(response, created.at);
      if (id !== undefined) renewal.ids.set(step, id);
    }
    if (step !== last && isSuccess({ status }) && !isSuccess(response))
      throw new NotReached(
        `${operation.method} ${operation.path}, which comes first, answers ${response.status}`,
      );
  }
}

/**
 * The case checked whether its chosen id was free; the new one may not be.
 * @throws NotReached
 */
async function demandFreeId(
  trial: Trial,
  operation: Operation,
  { body, path }: RequestInput,
  { ids }: Renewal,
): Promise<void> {
  const resource = resourceOf(trial.plan.contract, operation);
  if (!resource || creatorOf(resource) !== operation) return;
  const sent = recordSent(resource, operation, body);
  // The attempt reuses its own id intentionally.
  if ([...ids.values()].includes(sent[resource.id?.property ?? ''])) return;
  if (await isTaken(trial, resource, sent, path ?? {})) throw new NotReached(ALL_TAKEN);
}

/** The number of records that the attempts of a reproduction create and the service cannot remove. */
export function roomFor({ contract, budget }: Plan, steps: readonly SentStep[], tries: number): number {
  const creates = steps.filter(({ operation }) => {
    const resource = resourceOf(contract, operation);
    return resource && creatorOf(resource) === operation && !budget.isRemovable(resource);
  });
  const made = creates.filter(({ status = 0 }) => isSuccess({ status }));
  // A request that was rejected may be accepted.
  return tries * made.length + Number(made.length < creates.length);
}

/** Renews the requests of a reproduction: other marks, other unique values, the ids of the new records. */
class Renewal {
  readonly #context: Pick<Trial, 'plan' | 'log' | 'marks'>;
  readonly #marks = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  /** The ids of the new records, by the requests that created the old ones. */
  readonly ids = new Map<SentStep, unknown>();

  constructor(context: Pick<Trial, 'plan' | 'log' | 'marks'>) {
    this.#context = context;
  }

  /** The input to send in place of a step's. */
  inputOf({ operation, input }: SentStep): RequestInput {
    const { reserved: _, ...fields } = input;
    if (input.example || input.provoked) return { ...fields, ...this.#path(operation, input) };
    const { query, body, rawBody } = input;
    return {
      ...fields,
      ...this.#path(operation, input),
      ...(query && { query: this.#renewed(query) as Data }),
      ...(body !== undefined && { body: this.#body(operation, body) }),
      ...(rawBody !== undefined && { rawBody: this.#text(rawBody) }),
    };
  }

  /** The id of the record that a step creates, from its new body. */
  chosenId({ created, operation, input }: SentStep): unknown {
    const property = created?.resource.id?.property ?? '';
    const body = this.#body(operation, input.body);
    return isRecord(body) ? body[property] : undefined;
  }

  #path(operation: Operation, { path }: RequestInput): Pick<RequestInput, 'path'> {
    if (!path) return {};
    return {
      path: Object.fromEntries(
        Object.entries(path).map(([name, value]) => [
          name,
          this.#id(operation, name, value) ?? this.#renewed(value),
        ]),
      ),
    };
  }

  #id(operation: Operation, name: string, value: unknown): unknown {
    const maker = makerOf(this.#context, operation, name, value);
    return maker && this.ids.get(maker);
  }

  #body(operation: Operation, body: unknown): unknown {
    if (!isRecord(body)) return this.#renewed(body);
    const resource = resourceOf(this.#context.plan.contract, operation);
    const fresh = resource ? freshMembers(resource, operation, body) : new Set<string>();
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        (isIdName(name) ? this.#id(operation, name, value) : undefined) ??
          (fresh.has(name) ? this.#fresh(operation, name, value) : this.#renewed(value)),
      ]),
    );
  }

  /** Equal old values get equal new ones: intended duplicates remain duplicates. */
  #fresh(operation: Operation, name: string, value: unknown): unknown {
    const renewed = this.#renewed(value);
    if (renewed !== value) return renewed;
    const key = `${name} ${value}`;
    const shape = bodyMedia(operation.body)?.shape;
    const member = shape && memberShape(shape, name);
    if (!this.#values.has(key))
      this.#values.set(key, member ? freshId(member, `${name} ${this.#context.marks.next()}`) : value);
    return this.#values.get(key);
  }

  #renewed(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#renewed(item));
    // Exact numbers and bytes are objects as well.
    if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.#renewed(member)]));
  }

  #text(text: string): string {
    return text.replaceAll(markPattern(this.#context.plan.mark), (mark) => {
      const renewed = this.#marks.get(mark) ?? this.#context.marks.next();
      this.#marks.set(mark, renewed);
      return renewed;
    });
  }
}

/** The members of a new record with unique values, as far as the suite made them up. */
function freshMembers(resource: Resource, operation: Operation, body: Data): ReadonlySet<string> {
  if (creatorOf(resource) !== operation) return new Set();
  const shape = bodyMedia(operation.body)?.shape;
  const names = [...tellingMembers(resource), resource.id?.property ?? ''];
  return new Set(
    names.filter((name) => {
      const member = shape && memberShape(shape, name);
      const isPlain = ['string', 'number'].includes(typeof body[name]) && body[name] !== '';
      return member && !member.readOnly && isPlain;
    }),
  );
}
