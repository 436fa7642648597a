import { type MediaType, sample } from '#spec';
import { concreteType, mediaText, successForm } from '../../http/success-response.ts';
import type { Act, ActionContext } from './action.ts';

/** Responds with the document's first example, else with a sample of the schema, where no action can be inferred. */
export function compileSample(context: Omit<ActionContext, 'collection'>): Act {
  const { status } = successForm(context.operation);
  const body = sampleBody(context);
  return () => ({ status, ...body() });
}

/** The documented body, made on first use. */
export function sampleBody({ operation, seeds, contract }: Omit<ActionContext, 'collection'>) {
  const { media } = successForm(operation);
  let made: { readonly type: string | undefined; readonly body: string } | undefined;

  /** What the document shows may be against what it says; then what it says counts. */
  const fits = ({ schema, isJson }: MediaType, example: unknown) =>
    !schema || !isJson || contract.validators.compile(schema, 'response')(example).length === 0;

  function make(media: MediaType) {
    const { shape, examples } = media;
    const example = [...examples.values()].find((one) => fits(media, one));
    const key = seeds.keyOf(operation.id);
    const value = example ?? (shape && sample(shape, { key, omit: (member) => member.writeOnly }));
    return { type: concreteType(media), body: mediaText(media, value) };
  }
  return () => (made ??= media ? make(media) : { type: undefined, body: '' });
}
