import { isRecord, type Operation, type Resource, sample } from '#spec';
import { recordsOf } from '../laws/list-page.ts';
import { markMember } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Judged, Trial } from '../run/trial.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { jsonOf } from '../send/response.ts';
import { FateUnknown, Unreachable } from '../send/unreachable.ts';
import { type BodyOptions, given, makeBody } from './body.ts';
import { greatestPage } from './list.ts';
import { requiredQuery } from './query.ts';

type Data = Readonly<Record<string, unknown>>;

/** Records that the list shows, asked for once; none where there is no list. */
export function targetRecords(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  return trial.share(trial.run.found.lists, resource, (shared) => readList(shared, resource));
}

async function readList(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  const { list, actions } = resource;
  if (!list || !actions.list) return [];
  const query = { ...requiredQuery(trial, actions.list), ...greatestPage(list) };
  const { response } = await trial.send(actions.list, { path: await pathOf(trial, actions.list), query });
  if (response.status !== successStatuses(actions.list)[0])
    throw new NotReached(`the list of ${resource.path} answers ${response.status}`);
  return recordsOf(list, jsonOf(response));
}

/** The id of a record that exists; one is created where the list is empty. */
async function existingId(trial: Trial, resource: Resource): Promise<unknown> {
  const property = resource.id?.property;
  if (property === undefined) throw new NotReached('the document does not say which member is the id');
  const records = await targetRecords(trial, resource);
  const [id] = records.map((record) => record[property]).filter((value) => value !== undefined);
  // The same one each time: what stands below it must be looked for below it.
  return id ?? ownId(trial, resource);
}

/** The id of a record that the run has created, and that is never changed nor removed. */
export function ownId(trial: Trial, resource: Resource): Promise<unknown> {
  return trial.share(trial.run.found.ownIds, resource, async (shared) => {
    const { id } = await createRecord(shared, resource);
    shared.run.ledger.share(id);
    return id;
  });
}

/** Good values for the path parameters of an operation; those that the caller has are not looked for. */
export async function pathOf(trial: Trial, operation: Operation, known: Data = {}): Promise<Data> {
  const values: Record<string, unknown> = { ...known };
  for (const { name, shape, in: place } of operation.parameters) {
    if (place !== 'path' || name in known) continue;
    const owner = trial.run.contract.resources.find(
      (one) => one.id?.parameter === name && operation.path.startsWith(`${one.path}/{${name}}`),
    );
    values[name] =
      given(trial, name, shape) ??
      (owner ? await existingId(trial, owner) : sample(shape, { key: `${trial.run.settings.seed}/${name}` }));
  }
  return values;
}

/** The path of an operation on one record. */
export function pathTo(trial: Trial, { id }: Resource, operation: Operation, value: unknown): Promise<Data> {
  return pathOf(trial, operation, id?.parameter === undefined ? {} : { [id.parameter]: value });
}

/** A valid body, with values that the target's own records have where a member refers to something. */
export async function ordinaryBody(trial: Trial, operation: Operation, options: BodyOptions = {}) {
  const resource = trial.run.contract.resources.find(({ actions }) =>
    Object.values(actions).includes(operation),
  );
  return makeBody(trial, operation, resource ? await targetRecords(trial, resource) : [], options);
}

/** No further record may be made. */
export class NoRoom extends NotReached {
  override name = 'NoRoom';

  constructor(most: number) {
    super(`--max-creates ${most} is used up`);
  }
}

/** A request that was to make a record, and what became of it. */
export interface Creation extends Judged {
  /** The body as it was sent. */
  readonly sent: Data;
  readonly mark: string | undefined;
  /** The record in the response and its id; undefined where there is none. */
  readonly record: Data | undefined;
  readonly id: unknown;
}

/** How a create request differs from the ordinary one. */
export interface Variation extends Omit<RequestInput, 'body' | 'rawBody' | 'expected'> {
  /** Without the optional members. */
  readonly requiredOnly?: boolean;
  /** Changes the body, which already has its mark. */
  readonly change?: (body: Data, mark: string | undefined) => unknown;
  /** The documented success must come; `or 4xx`: a refusal is just as right. */
  readonly expect?: 'success' | 'success or 4xx';
}

/** Sends a body to a resource's create operation. */
export async function tryCreate(
  trial: Trial,
  resource: Resource,
  { requiredOnly, change, expect, ...input }: Variation = {},
): Promise<Creation> {
  const { run } = trial;
  const operation = resource.actions.create;
  if (!operation) throw new NotReached('the document has no operation that creates such a record');
  if (!run.settings.writes) throw new NotReached('--read-only');
  const shape = operation.body?.content.find(({ isJson }) => isJson)?.shape;
  const [status] = successStatuses(operation);
  const expected = expect && status !== undefined && { status, or4xx: expect === 'success or 4xx' };
  for (let attempt = 0; ; attempt++) {
    const mark = shape && markMember(shape) ? trial.marks.next() : undefined;
    const ordinary = await ordinaryBody(trial, operation, { mark, optional: !requiredOnly });
    const sent = (change ? change(ordinary, mark) : ordinary) as Data;
    const path = { ...(await pathOf(trial, operation)), ...input.path };
    const giveBack = await run.ledger.allotment.reserve(trial.order);
    if (!giveBack) throw new NoRoom(run.settings.maxCreates);
    try {
      const judged = await trial.send(operation, {
        ...input,
        ...(expected && { expected }),
        path,
        body: sent,
      });
      const body = judged.evidence.json;
      const record = judged.evidence.succeeded && isRecord(body) ? body : undefined;
      return { ...judged, sent, mark, record, id: resource.id && record?.[resource.id.property] };
    } catch (error) {
      if (!(error instanceof FateUnknown)) throw error;
      run.ledger.note(
        {
          operationId: operation.id,
          caseId: trial.case.id,
          mark,
          id: undefined,
          certain: false,
        },
        trial.order,
      );
      if (attempt >= run.settings.retries) throw new Unreachable(error.message);
    } finally {
      giveBack();
    }
  }
}

/** A record that the target accepted, to work with. */
export async function createRecord(
  trial: Trial,
  resource: Resource,
  variation: Variation = {},
): Promise<Creation & { record: Data }> {
  const creation = await tryCreate(trial, resource, variation);
  const { record, response } = creation;
  if (response.status !== successStatuses(creation.operation)[0] || !record)
    throw new NotReached(`a record is needed, and creating one answers ${response.status}`);
  return { ...creation, record };
}
