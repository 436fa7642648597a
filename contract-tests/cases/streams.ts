import { bodyMedia, isRecord, memberShape, responseFor, streamFormatOf } from '#spec';
import { ordinaryInput } from '../arrange/requests.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { type Family, makeCase, slugOf } from './case.ts';

/**
 * Each stream of the document is asked for, and its messages are awaited for a while. A service may answer in another
 * documented form all the same (RFC 9110 §12.5.1), and a stream may have nothing to say.
 */
export const streams: Family = (contract) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    if (success === undefined) return [];
    const { content = [] } = responseFor(operation.responses, success) ?? {};
    return content.flatMap(({ type }) => {
      if (streamFormatOf(type) === undefined) return [];
      const title = `the messages of ${type} are as documented`;
      const one = makeCase(operation, success, `stream-${slugOf(type)}`, title, async (trial) => {
        const input = await ordinaryInput(trial, operation);
        const { response } = await trial.send(operation, {
          ...input,
          body: asked(input.body),
          headers: [['Accept', type]],
          listens: true,
        });
        if (response.status === success && streamFormatOf(response.contentType ?? '') === undefined)
          trial.leaveOpen(`Accept: ${type}: ${response.contentType ?? 'no media type'}`);
      });
      return { ...one, demands: false };
    });

    /** Where a member of the body decides, it says so. */
    function asked(body: unknown): unknown {
      const shape = bodyMedia(operation.body)?.shape;
      const member = shape && memberShape(shape, 'stream');
      const isFlag = member?.types?.has('boolean') || member?.mainType === 'boolean';
      return isFlag && isRecord(body) ? { ...body, stream: true } : body;
    }
  });
