import { type MediaType, sample, stringifyJson } from '#spec';
import type { Act, ActionContext } from './action.ts';
import { concreteType, successForm } from './success.ts';

/** What cannot be inferred is answered from the document: its first example, else a value that fits the schema. */
export function compileSample(context: Omit<ActionContext, 'collection'>): Act {
  const { status } = successForm(context.operation);
  const bodyOf = sampleBody(context);
  return () => ({ status, ...bodyOf() });
}

/** The documented body, made at its first use. */
export function sampleBody({ operation, seeds }: Omit<ActionContext, 'collection'>) {
  const { media } = successForm(operation);
  let made: { readonly type: string | undefined; readonly body: string } | undefined;
  return () => {
    made ??= media
      ? { type: concreteType(media), body: bodyText(media, seeds.keyOf(operation.id)) }
      : { type: undefined, body: '' };
    return made;
  };
}

function bodyText(media: MediaType, key: string): string {
  const [example] = media.examples.values();
  const value = example ?? (media.shape && sample(media.shape, { key, omit: (member) => member.writeOnly }));
  return media.isJson || typeof value !== 'string' ? stringifyJson(value ?? null) : value;
}
