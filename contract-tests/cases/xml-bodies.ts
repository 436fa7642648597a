import { asReceived, isXml, type MediaType, type Operation, responseFor, SAFE_METHODS } from '#spec';
import { followCreation, ordinaryInput, readById } from '../arrange/requests.ts';
import { tryCreate } from '../arrange/target.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { type Family, makeCase } from './case.ts';

/**
 * A write that the document describes in JSON and in XML: what comes as XML is taken like JSON, and a client may prefer
 * XML in the response. That a service sends it is not promised (RFC 9110 §12.5.1).
 */
export const xmlBodies: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    if (success === undefined || SAFE_METHODS.has(operation.method)) return [];
    const sent = besideJson(operation.body?.content);
    const shown = besideJson(responseFor(operation.responses, success)?.content);
    if (!sent && !shown) return [];
    const input = {
      ...(sent && { bodyType: sent.type }),
      ...(shown && { headers: [['Accept', `${shown.type}, */*;q=0.5`] as const] }),
    };
    const title = sent
      ? `a body in ${sent.type} is taken like one in JSON`
      : `a client that prefers ${shown?.type} gets a documented response`;
    const role = roleOf(contract, operation);
    return makeCase(operation, success, 'as-xml', title, async (trial) => {
      if (role?.action === 'create' && operation.body) {
        const change = (body: Readonly<Record<string, unknown>>) => sayable(trial, operation, sent, body);
        const creation = await tryCreate(trial, role.resource, { ...input, change, expect: 'success' });
        if (creation.sound) await followCreation(trial, role.resource, creation);
        return;
      }
      const ordinary = await ordinaryInput(trial, operation);
      sayable(trial, operation, sent, ordinary.body);
      const given = {
        ...ordinary,
        ...(ordinary.body === undefined ? { headers: input.headers ?? [] } : input),
      };
      const { sound } = await trial.send(operation, { ...given, expected: { status: success } });
      const id = role?.resource.id?.parameter;
      if (sound && role && role.action !== 'remove' && id !== undefined)
        await readById(trial, role.resource, ordinary.path?.[id]);
    });
  });

function besideJson(content: readonly MediaType[] = []): MediaType | undefined {
  return content.some(({ isJson }) => isJson) ? content.find(isXml) : undefined;
}

/** @throws NotProvoked where the schema forbids what comes of a body in XML */
function sayable<Body>(trial: Trial, operation: Operation, media: MediaType | undefined, body: Body): Body {
  if (!media?.schema || body === undefined) return body;
  const violations = trial.run.contract.validators.compile(media.schema, 'request')(asReceived(media, body));
  if (violations.length > 0) throw new NotProvoked(`${operation.id}: XML has no form for the body`);
  return body;
}
