import {
  answerMedia,
  bodyMedia,
  essenceOf,
  formatOf,
  fromLatin1,
  type MediaType,
  stringifyJson,
  successOf,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import { isRefusal } from '../../http/refusal.ts';
import { ANSWERED, keepInternal, readInternal } from '../internal.ts';
import type { ActionContext, Run } from './action.ts';
import { asKept, responseOf } from './idempotent.ts';

const isFile = ({ type, shape }: MediaType) => ['text', 'bytes'].includes(formatOf(type, shape) ?? '');

/**
 * Keeps text or a file that is PUT at a path, and returns it for reads until it is removed. Undefined: the path has no such
 * operations, or records provide its content.
 */
export function compilePutFile({
  operation,
  contract,
  role,
}: Pick<ActionContext, 'operation' | 'contract'> & {
  readonly role: { readonly action: string } | undefined;
}): Run | undefined {
  const { path, method } = operation;
  const [put, get] = ['PUT', 'GET'].map((one) =>
    contract.operations.find((other) => other.path === path && other.method === one),
  );
  const media = bodyMedia(put?.body);
  const medias = get && !answerMedia(get) ? (successOf(get)?.content ?? []) : [];
  const isShown = medias.some(({ type }) => media && essenceOf(type) === essenceOf(media.type));
  const isOwn = role === undefined || role.action === 'action';
  if (!put || !media || !isFile(media) || !isShown || !isOwn) return undefined;
  const isBytes = formatOf(media.type, media.shape) === 'bytes';
  return (task, next) => {
    const { values, store } = task;
    const id = stringifyJson(['PUT', path, values.parameters.path]);
    const { body = '' } = values;
    return andThen(next(task), (outcome) => {
      if (isRefusal(outcome) || outcome.status >= 300) return outcome;
      if (method === 'GET')
        return andThen(readInternal(store, ANSWERED, id), (kept) =>
          kept ? { ...outcome, body: responseOf(kept).body } : outcome,
        );
      if (method === 'DELETE') return andThen(store.remove(ANSWERED, id, []), () => outcome);
      if (method !== 'PUT') return outcome;
      const response = {
        status: 200,
        type: media.type,
        body: isBytes ? fromLatin1(String(body)) : String(body),
      };
      return andThen(keepInternal(store, ANSWERED, { id, sent: '', ...asKept(response) }), () => outcome);
    });
  };
}
