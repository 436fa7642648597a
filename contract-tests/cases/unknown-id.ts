import {
  explicitStatuses,
  memberShape,
  type Operation,
  type Parameter,
  pathParameters,
  SAFE_METHODS,
  upsertOf,
} from '#spec';
import { parameterExamples } from '#test-values';
import { isUnlikely, randomId, unknownId } from '../arrange/made-up.ts';
import { ordinaryInput, readById } from '../arrange/requests.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { ownerOf, parentsOf, roleOf, successStatuses } from '../laws/operation-role.ts';
import { needsCondition } from '../run/outgoing.ts';
import type { Trial } from '../run/trial.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { NOT_FOUND } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';
import { failuresAlone } from './unusual-request.ts';

const TRIES = 5;

/** An unknown id is not found; one that violates its schema is rejected. */
export const unknownIds: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    // The last parameter: the record itself, or the parent of a nested collection.
    const name = pathParameters(operation.path).at(-1);
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    const statuses = explicitStatuses(operation.responses);
    // A PUT would create a record with the made-up id (RFC 9110 §9.3.4).
    const isCreating = operation.method === 'PUT' && upsertOf(operation) !== undefined;
    if (!parameter || isCreating || !statuses.includes(NOT_FOUND)) return [];
    // An id of no known collection, such as a date, may be valid whatever it is. A required condition may fail first: a
    // missing record has no version.
    const owner = ownerOf(contract, operation, parameter.name);
    const demands = owner !== undefined && !needsCondition(contract, operation);
    const unknown = [
      { ...namesNothing(operation, parameter), demands },
      ...(operation.method === 'GET' && !owner ? [endOfLine(operation, parameter)] : []),
    ];
    if (!operation.path.endsWith(`{${name}}`)) return unknown;
    return [
      ...unknown,
      ...(operation.method === 'GET' ? [{ ...randomIds(operation, parameter), demands }] : []),
      ...distantIds(parameter).map(([title, id]) => distant(operation, parameter, title, () => id)),
      ...relatedIds(operation, parameter).map(([title, idOf]) => distant(operation, parameter, title, idOf)),
      ...malformedIds(parameter).map((malformedId) => malformed(operation, parameter, malformedId)),
    ].map((one): Case => ({ demands, ...one }));
  });

function namesNothing(operation: Operation, parameter: Parameter): Case {
  const title = 'an id that names nothing is not found';
  return makeCase({ operation, status: NOT_FOUND }, 'unknown-id', title, async (trial) => {
    const { resource, action } = roleOf(trial.plan.contract, operation) ?? {};
    // A create does not need a real parent in place of the made-up one.
    const preset = action === 'create' ? { path: { [parameter.name]: undefined } } : {};
    const input = await inputFor(trial, operation, parameter, preset);
    // A body that contains the id must be valid as well.
    const member =
      resource?.id?.parameter === parameter.name
        ? memberShape(resource.shape, resource.id.property)
        : undefined;
    const isAlike = member !== undefined && member.mainType === parameter.shape.mainType;
    const shape = isAlike ? parameter.shape.and(member) : parameter.shape;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const key = `${parameter.name} ${trial.plan.settings.seed} ${attempt}`;
      const id = unknownId(shape, key, knownId(input, parameter));
      if (!(await isFree(trial, operation, id))) continue;
      const { response } = await trial.send(operation, withId(input, parameter, id));
      // Somebody may have created a record with this id; then another one is made up.
      const isHit = resource && action === 'read' && response.status === successStatuses(operation)[0];
      if (!isHit || trial.findings.length > 0) return;
    }
  });
}

/** Where any text may be valid, a path with a line end finds nothing useful; which error it gets is not documented. */
function endOfLine(operation: Operation, parameter: Parameter): Case {
  const title = 'an end of line in the path does not break the service';
  const drive = async (trial: Trial) => {
    const input = await inputFor(trial, operation, parameter);
    const path = { ...input.path, [parameter.name]: 'paddock\n' };
    await failuresAlone(trial, () => trial.send(operation, { ...input, path, unknownId: true }));
  };
  return makeCase({ operation, status: NOT_FOUND }, 'end-of-line', title, drive, { demands: false });
}

/** An id that names a record, or from a documented example. */
function knownId({ path }: RequestInput, parameter: Parameter): unknown {
  return parameterExamples(parameter)[0] ?? path?.[parameter.name];
}

const RANDOM_IDS = 6;

/** Ids over their whole range, including negative and huge ones; they are only read. */
function randomIds(operation: Operation, parameter: Parameter): Case {
  const title = 'random ids are not found, or name just their records';
  return makeCase({ operation, status: NOT_FOUND }, 'random-ids', title, async (trial) => {
    const input = await inputFor(trial, operation, parameter);
    const ids = Array.from({ length: RANDOM_IDS }, (_, count) =>
      randomId(
        parameter.shape,
        `${parameter.name} ${trial.plan.settings.seed} random ${count}`,
        knownId(input, parameter),
      ),
    );
    await trial.together(
      ids
        .filter((id) => id !== undefined)
        .map((id) => (part) => part.send(operation, withId(input, parameter, id))),
    );
  });
}

function withId(input: RequestInput, { name }: Parameter, id: unknown): RequestInput {
  return { ...input, path: { ...input.path, [name]: id }, unknownId: true };
}

/** Whether no record has a guessed id: changes and removals of others' records are not sent. */
async function isFree(trial: Trial, operation: Operation, id: unknown): Promise<boolean> {
  if (SAFE_METHODS.has(operation.method)) return true;
  const role = roleOf(trial.plan.contract, operation);
  const read = role && role.action !== 'create' && (await readById(trial, role.resource, id));
  return read ? read.response.status !== successStatuses(read.operation)[0] : isUnlikely(id);
}

/** Ids that break careless arithmetic: a returned record must have the requested id. */
function distant(
  operation: Operation,
  parameter: Parameter,
  title: string,
  idOf: (existing: bigint) => unknown,
): Case {
  const says = `${title} is not found, or names just its record`;
  return makeCase({ operation, status: NOT_FOUND }, slugOf(title), says, async (trial) => {
    const input = await inputFor(trial, operation, parameter);
    const id = idOf(existingIn(input, parameter));
    if (!fits(parameter, id as bigint) || !(await isFree(trial, operation, id))) return;
    await trial.send(operation, withId(input, parameter, id));
  });
}
function distantIds(parameter: Parameter): [title: string, id: unknown][] {
  if (parameter.shape.mainType !== 'integer') return [];
  const ids: [string, number | bigint][] = [
    ['an id of zero', 0],
    ['a negative id', -1],
    ['an id beyond 2^31', 2 ** 31],
    ['an id beyond 2^53', 9007199254740993n],
    ['the greatest int64', 2n ** 63n - 1n],
    ['the least int64', -(2n ** 63n)],
  ];
  return ids.filter(([, id]) => fits(parameter, id));
}

type Related = [title: string, idOf: (existing: bigint) => bigint];

/** Ids that become an existing one when the sign, or the upper bits, are lost. */
function relatedIds({ method }: Operation, { shape }: Parameter): Related[] {
  if (shape.mainType !== 'integer') return [];
  const negative: Related = ['an existing id with its sign changed', (existing) => -existing];
  // The others may belong to another client: they are only read.
  if (!SAFE_METHODS.has(method)) return [negative];
  return [
    negative,
    ['an existing id and 2^32', (existing) => existing + 2n ** 32n],
    ['an existing id with its last bit changed', (existing) => existing ^ 1n],
    ['an existing id with a digit more', (existing) => existing * 10n + 7n],
  ];
}

function fits({ shape }: Parameter, id: number | bigint): boolean {
  const { low, high } = shape.range;
  return (!low || id >= low.value) && (!high || id <= high.value);
}

/** Any documented error or a bad request is valid: the document does not state which. */
function malformed(operation: Operation, parameter: Parameter, [title, malform]: Malformed): Case {
  return makeCase({ operation, status: NOT_FOUND }, slugOf(title), `${title} is refused`, async (trial) => {
    const input = await inputFor(trial, operation, parameter);
    const id = malform(existingIn(input, parameter));
    const path = { ...input.path, [parameter.name]: id };
    const before = trial.findings.length;
    const { sound, response } = await trial.send(operation, { ...input, path, madeUp: true });
    if (isSuccess(response)) forgetExisting(trial, operation, parameter, input);
    // Many parsers accept other notations of a number: whether the service does is reported as one question.
    if (isSuccess(response) && isNumberAnyhow(id) && !sound) {
      trial.findings.splice(before);
      trial.leaveOpen(`${title}: ${describeStatus(response)}`, {
        question: title,
        answer: `${response.status}`,
      });
      return;
    }
    const about = { question: `a malformed ${parameter.name}`, answer: `${response.status}` };
    if (sound) trial.leaveOpen(`${title}: ${describeStatus(response)}`, about);
  });
}

/** A service that normalises the id to the record's may have changed or removed that record. */
function forgetExisting(
  trial: Trial,
  operation: Operation,
  { name }: Parameter,
  { path = {} }: RequestInput,
) {
  const owner = ownerOf(trial.plan.contract, operation, name);
  if (owner && !SAFE_METHODS.has(operation.method))
    trial.session.model.forget(owner, path[name], parentsOf(owner, path));
}

/** Whether a text is an integer that is not written in plain digits. */
const isNumberAnyhow = (text: string) => Number.isInteger(Number(text)) && !/^-?\d+$/.test(text);

type Malformed = [title: string, malform: (existing: bigint) => string];

function malformedIds({ shape }: Parameter): Malformed[] {
  if (shape.mainType !== 'integer') return [];
  const beyond: Malformed[] = shape.range.high
    ? [
        [
          'an id beyond its format',
          () => String(BigInt(Math.trunc(Number(shape.range.high?.value))) * 2n + 2n),
        ],
        ['an existing id and 2^64', (existing) => String(existing + 2n ** 64n)],
      ]
    : [];
  return [
    ['an id that is a word', () => 'paddock'],
    ['an id with letters behind it', (existing) => `${existing}abc`],
    ['an id with letters before it', (existing) => `abc${existing}`],
    ['an id with a fraction', (existing) => `${existing}.5`],
    ['an id with a space before it', (existing) => ` ${existing}`],
    ['an id in hexadecimal', (existing) => `0x${existing.toString(16)}`],
    ...beyond,
  ];
}

/** A target may have ids that are no integers, contrary to its document; other cases find that. */
function existingIn({ path }: RequestInput, { name }: Parameter): bigint {
  const id = path?.[name];
  return typeof id === 'bigint' || Number.isInteger(id) ? BigInt(id as number | bigint) : 1n;
}

/** For a read, the path of an existing record; for other methods, a path of the same form that names nobody's record. */
async function inputFor(
  trial: Trial,
  operation: Operation,
  parameter: Parameter,
  preset: Pick<RequestInput, 'path'> = {},
): Promise<RequestInput> {
  const input = ordinaryInput(trial, operation, false, preset);
  return operation.method === 'GET' ? input.catch(() => ({ path: { [parameter.name]: 1 } })) : input;
}
