import {
  asReceived,
  bodyMedia,
  essenceOf,
  explicitStatuses,
  isRecord,
  isXml,
  type MediaType,
  memberShape,
  type Operation,
  responseFor,
  SAFE_METHODS,
  streamFormatOf,
} from '#spec';
import { guessedPath } from '../arrange/likely-path.ts';
import { mayClimb } from '../arrange/recipe.ts';
import { detachedInput, followCreation, ordinaryInput, readById, repairBody } from '../arrange/requests.ts';
import { anyBody, tryCreate } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import { NoInput, NotProvoked, NotReached, type ReasonCode } from '../run/not-reached.ts';
import { guessedValues } from '../run/path-values.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import type { Expectation } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { headerOf, Unreachable } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** Each operation, except creates with a body, called with an ordinary request: the documented success. */
export const ordinary: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    const role = roleOf(contract, operation);
    if (success === undefined) return ordinaryWithoutStatus(operation);
    if (role?.action === 'create' && bodyMedia(operation.body)) return [];
    const cell = { operation, status: success };
    return makeCase(cell, 'ordinary', 'an ordinary request succeeds', async (trial) => {
      let isRepeated = false;
      const drive = () => {
        // Others may have removed the record since it was listed: the next attempt lists again.
        if (isRepeated && role) trial.session.cache.lists.delete(role.resource);
        isRepeated = true;
        return call(trial, operation, { status: success });
      };
      const { sound, response } = await (role?.action === 'read' ? trial.settle(drive) : drive());
      if (sound && operation.sunset && headerOf(response, 'sunset') === undefined)
        trial.notice('Sunset date documented, and the response has no Sunset header (RFC 8594)');
    });
  });

/** These reasons mean that a record, or a step to it, is missing; any other ends the case. */
const MISSING: ReadonlySet<ReasonCode> = new Set([
  'unprovoked',
  'no-input',
  'target',
  'read-only',
  'excluded',
  'withheld',
  'no-room',
]);

/**
 * Calls each operation: without a known path value, a read uses a likely one; where the body is rejected as invalid,
 * another one that the operation accepts.
 */
async function call(trial: Trial, operation: Operation, expected?: Expectation): Promise<Judged> {
  const expecting = expected && { expected };
  const send = async () =>
    trial.send(operation, { ...(await ordinaryInput(trial, operation)), ...expecting });
  const before = trial.findings.length;
  try {
    const judged = await send();
    if (!(await mayBeRepaired(trial, operation))) return judged;
    const held = trial.findings.splice(before);
    trial.findings.push(...held.filter(({ exchange }) => exchange.response.status >= 500));
    return await send();
  } catch (error) {
    if (error instanceof NotProvoked && (await mayBeRepaired(trial, operation))) return send();
    const isMissing = error instanceof NotReached && MISSING.has(error.code);
    const isClosed = error instanceof Unreachable && error.tries.closed > 0;
    const path = isMissing || isClosed ? await guessedPath(trial, operation) : undefined;
    if (!path || trial.trail.steps.some((step) => step.operation === operation)) throw error;
    const input = { path, guessed: true, body: await anyBody(trial, operation), ...expecting };
    const judged = await trial.send(operation, input).catch((other: unknown) => {
      throw other instanceof NoInput && !(error instanceof NotProvoked) ? error : other;
    });
    if (!judged.sound || isSuccess(judged.response)) return judged;
    throw error;
  }
}

/** Whether the operation rejected the body of the case, and accepts another one. */
async function mayBeRepaired(trial: Trial, operation: Operation): Promise<boolean> {
  const { status = 0 } = trial.trail.steps.findLast((step) => step.operation === operation) ?? {};
  return (
    mayClimb({ status }) &&
    (await repairBody(trial, operation, async (shared, body) => {
      const input = await ordinaryInput(shared, operation, true, { body });
      return (await shared.send(operation, input)).response;
    }))
  );
}

/** A `default` response applies to any status. */
function ordinaryWithoutStatus(operation: Operation): Case {
  const title = 'the response to an ordinary request is as documented';
  const explicit = explicitStatuses(operation.responses);
  const status = explicit.find((one) => one < 400) ?? USUAL;
  return makeCase({ operation, status }, 'ordinary', title, async (trial) =>
    demandSuccess(trial, operation, await call(trial, operation)),
  );
}

/** No cell: it only names the case. */
const USUAL = 200;

/**
 * Where no success is documented, any error is valid and shows nothing of the operation.
 * @throws NotReached
 */
function demandSuccess({ plan }: Trial, operation: Operation, { sound, response, input }: Judged): void {
  const isNamed = explicitStatuses(operation.responses).includes(response.status);
  if (!sound || response.status < 400 || isNamed) return;
  const values = guessedValues(plan.contract, plan.settings, operation, input);
  if (values.length > 0) throw new NoInput(`no value of ${values.join(', ')} is known`, { values });
  const reason = `it answers ${response.status} to a valid request, and the document names no success`;
  throw operation.body ? new NoInput(reason, { body: operation }) : new NotReached(reason);
}

/** For stateless targets: requests each documented status (`Prefer: code=`, RFC 7240). */
export const preferred: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const explicit = explicitStatuses(operation.responses);
    if (explicit.length === 0) {
      const title = 'the response to an ordinary request is as documented';
      return makeCase({ operation, status: USUAL }, 'ordinary', title, async (trial) =>
        trial.send(operation, await detachedInput(trial, operation)),
      );
    }
    return explicit.map((status) => {
      const title = `the response to "Prefer: code=${status}" is as documented`;
      return makeCase({ operation, status }, 'preferred', title, async (trial) => {
        const input = await detachedInput(trial, operation);
        const headers = [['Prefer', `code=${status}`]] as const;
        await trial.send(operation, { ...input, headers, expected: { status } });
      });
    });
  });

/** A media type that no document has. A service may reject it (RFC 9110 §15.5.7) or send what it has (§12.5.1). */
const UNDOCUMENTED = 'image/x-paddock';

/**
 * Requests each documented media type of a response, one that is undocumented, and each stream, whose messages are awaited
 * for a while. A service may ignore or reject the preference (RFC 9110 §12.5.1, §15.5.7), and a stream may be silent: a
 * response must be as documented, but need not have the requested type.
 */
export const acceptable: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    if (success === undefined) return [];
    const { content = [] } = responseFor(operation.responses, success) ?? {};
    const types = [...new Set(content.map(({ type }) => type))];
    const named = types.filter((type) => !type.includes('*'));
    const rows = types.flatMap((type): [slug: string, title: string, type: string][] =>
      streamFormatOf(type) === undefined
        ? []
        : [[`stream-${slugOf(type)}`, `the messages of ${type} are as documented`, type]],
    );
    if (SAFE_METHODS.has(operation.method)) {
      const alone = (type: string) => `a client that accepts ${type} alone gets a documented response`;
      if (named.length > 1)
        for (const type of named) rows.push([`accept-${slugOf(type)}`, alone(type), type]);
      const title = 'an Accept that names no documented media type does not break the service';
      rows.push(['unacceptable', title, UNDOCUMENTED]);
    }
    return rows.map(([slug, title, type]) => {
      const drive = (trial: Trial) => accept(trial, operation, success, type);
      return makeCase({ operation, status: success }, slug, title, drive, { demands: false });
    });
  });

async function accept(trial: Trial, operation: Operation, success: number, type: string): Promise<void> {
  const input = await ordinaryInput(trial, operation);
  const isStream = streamFormatOf(type) !== undefined;
  const body = isStream ? streaming(operation, input.body) : input.body;
  const { sound, response } = await trial.send(operation, {
    ...input,
    body,
    headers: [['Accept', type]],
    listens: isStream,
  });
  const got = essenceOf(response.contentType ?? 'no media type');
  if (!sound || got === essenceOf(type)) return;
  trial.leaveOpen(`Accept: ${type}: ${response.status === success ? got : describeStatus(response)}`);
}

/** Requests a stream by a member of the body, where one decides it. */
function streaming({ body: described }: Operation, body: unknown): unknown {
  const shape = bodyMedia(described)?.shape;
  const member = shape && memberShape(shape, 'stream');
  const isFlag = member?.types?.has('boolean') || member?.mainType === 'boolean';
  return isFlag && isRecord(body) ? { ...body, stream: true } : body;
}

/**
 * Writes that are documented in JSON and in XML: an XML body is accepted like JSON, and the client may prefer XML in the
 * response, which is not promised (RFC 9110 §12.5.1).
 */
export const xmlBodies: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    if (success === undefined || SAFE_METHODS.has(operation.method)) return [];
    const sent = besideJson(operation.body?.content);
    const media = besideJson(responseFor(operation.responses, success)?.content);
    if (!sent && !media) return [];
    const input = {
      ...(sent && { bodyType: sent.type }),
      ...(media && { headers: [['Accept', `${media.type}, */*;q=0.5`] as const] }),
    };
    const title = sent
      ? `a body in ${sent.type} is taken like one in JSON`
      : `a client that prefers ${media?.type} gets a documented response`;
    const role = roleOf(contract, operation);
    return makeCase({ operation, status: success }, 'as-xml', title, async (trial) => {
      if (role?.action === 'create' && operation.body) {
        const change = (body: Readonly<Record<string, unknown>>) => sayable(trial, operation, sent, body);
        const creation = await tryCreate(trial, role.resource, { ...input, change, expect: 'success' });
        if (creation.sound) await followCreation(trial, role.resource, creation);
        return;
      }
      const ordinary = await ordinaryInput(trial, operation);
      sayable(trial, operation, sent, ordinary.body);
      const request = {
        ...ordinary,
        ...(ordinary.body === undefined ? { headers: input.headers ?? [] } : input),
      };
      const { sound } = await trial.send(operation, { ...request, expected: { status: success } });
      const id = role?.resource.id?.parameter;
      if (sound && role && role.action !== 'remove' && id !== undefined)
        await readById(trial, role.resource, ordinary.path?.[id]);
    });
  });

function besideJson(content: readonly MediaType[] = []): MediaType | undefined {
  return content.some(({ isJson }) => isJson) ? content.find(isXml) : undefined;
}

/** @throws NotProvoked if the schema forbids the value that the XML body is parsed to */
function sayable<Body>(trial: Trial, operation: Operation, media: MediaType | undefined, body: Body): Body {
  if (!media?.schema || body === undefined) return body;
  const violations = trial.plan.contract.validators.compile(media.schema, 'request')(asReceived(media, body));
  if (violations.length > 0) throw new NotProvoked(`${operation.id}: XML has no form for the body`);
  return body;
}
