import { addWarning, children, rawChild, recordAt, type Spot } from './document/spot.ts';
import { isRecord } from './json/json-value.ts';
import { ignore, type Operation, readItem } from './operation.ts';
import { type ExpressionTemplate, parseTemplate } from './runtime-expression.ts';

/**
 * A request that the service sends to its clients: a callback (OpenAPI 3.1 §4.8.18) or an entry of `webhooks` (§4.8.1).
 * The `path` of a callback is its URL with unevaluated runtime expressions, that of a webhook is empty.
 */
export interface OutgoingOperation extends Operation {
  readonly kind: 'callback' | 'webhook';
  /** The key of the callback or webhook. */
  readonly name: string;
  /** The operation with the callback; undefined: it is a webhook. */
  readonly owner: Operation | undefined;
  /** The URL of the callback; undefined: it is a webhook, or the URL is invalid. */
  readonly url: ExpressionTemplate | undefined;
}

/** The callbacks of all operations in order, then the webhooks. */
export function readOutgoing(
  root: Spot,
  operations: readonly Operation[],
  isLeftOut: (webhook: string) => boolean,
): OutgoingOperation[] {
  const callbacks = operations.flatMap((owner) =>
    // Most operations have none.
    rawChild(owner.spot, 'callbacks') ? readCallbacks(root, owner) : [],
  );
  const webhooks = ['webhooks', 'x-webhooks'].flatMap((key) =>
    rawChild(root, key) ? readWebhooks(root, key, isLeftOut) : [],
  );
  return withIds([...callbacks, ...webhooks], operations);
}

function readCallbacks(root: Spot, owner: Operation): OutgoingOperation[] {
  return membersOf(recordAt(owner.spot, 'callbacks')).flatMap(([name, callback]) => {
    if (!isRecord(callback.value)) return ignore(callback, `the callback "${name}"`);
    return membersOf(callback).flatMap(([path, item]) => {
      if (!isRecord(item.value)) return ignore(item, `the callback "${name}" at "${path}"`);
      const template = parseTemplate(path);
      const isReadable = 'parts' in template;
      if (!isReadable) {
        const message = `${template.unreadable} is no runtime expression such as {$request.body#/callbackUrl}`;
        addWarning(item, `${message}; the callback "${name}" is never sent`);
      }
      const fields = { kind: 'callback', name, owner, path, url: isReadable ? template : undefined } as const;
      return readItem(root, '', item).map((read) => ({ ...read, ...fields, security: [] }));
    });
  });
}

function readWebhooks(root: Spot, key: string, isLeftOut: (name: string) => boolean): OutgoingOperation[] {
  return membersOf(recordAt(root, key)).flatMap(([name, item]) => {
    if (isLeftOut(name)) return [];
    if (!isRecord(item.value)) return ignore(item, `the webhook "${name}"`);
    const fields = { kind: 'webhook', name, owner: undefined, path: '', url: undefined } as const;
    return readItem(root, '', item).map((read) => ({ ...read, ...fields, security: [] }));
  });
}

function membersOf(spot: Spot | undefined): [string, Spot][] {
  return children(spot).filter(([key]) => !key.startsWith('x-'));
}

/** Uses the operationId if it is unique (a callback may be shared by several operations), else the name. */
function withIds(
  outgoing: readonly OutgoingOperation[],
  operations: readonly Operation[],
): OutgoingOperation[] {
  const written = outgoing.map(({ spot }) => rawChild(spot, 'operationId')?.value);
  const taken = new Set(operations.map(({ id }) => id));
  return outgoing.map((operation, index) => {
    const { name, owner, method } = operation;
    const operationId = written[index];
    const candidates = [
      ...(typeof operationId === 'string' && written.indexOf(operationId) === written.lastIndexOf(operationId)
        ? [operationId]
        : []),
      ...(owner ? [] : [name]),
      ...(owner ? [`${owner.id} ${name}`] : []),
      `${owner ? `${owner.id} ` : ''}${name} ${method}`,
    ];
    const id = candidates.find((candidate) => !taken.has(candidate)) ?? `${name} ${index + 1}`;
    taken.add(id);
    return { ...operation, id };
  });
}
