import {
  bodyMedia,
  type Direction,
  encodeBody,
  fullyFits,
  type MediaType,
  type Operation,
  type Shape,
  sentType,
  stringifyJson,
} from '#spec';
import { mediaText, preferredMedia, responseType } from '../http/representations.ts';
import type { SeedValues } from '../records/seed/values.ts';

/** Valid values for an operation's request and responses. */
export interface OperationSample {
  /** The text of each parameter, by keys such as `query.limit`; JSON for values other than texts and numbers. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Undefined: there is no body, or it is no text. */
  readonly body: SampleBody | undefined;
  /** By the key of the response: `200`, `4XX`, `default`. */
  readonly responses: Readonly<Record<string, SampleBody>>;
}

export interface SampleBody {
  /** With its parameters, such as the boundary of a multipart body. */
  readonly type: string;
  readonly text: string;
}

const TRIES = 8;

/** @param responses the responses to sample; a validator for a large document's response takes a second to compile */
export function sampleOperation(
  { id, parameters, body }: Operation,
  seeds: SeedValues,
  responses: Operation['responses'],
): OperationSample {
  /** The documented example if it fits, else the first sample that does. */
  function fittingValue(shape: Shape, direction: Direction, name: string, examples: Iterable<unknown>) {
    for (const example of examples) if (fullyFits(shape, example, direction)) return example;
    const made = (tried: number) =>
      direction === 'request'
        ? seeds.called('', shape, direction, tried >= TRIES / 2, id, name, tried)
        : seeds.sampled(shape, {}, id, name, tried);
    for (let tried = 0; tried < TRIES; tried++) {
      const value = made(tried);
      if (fullyFits(shape, value, direction)) return value;
    }
    return made(0);
  }

  function sampleRequest(media: MediaType): SampleBody | undefined {
    const { shape, examples } = media;
    if (!shape) return undefined;
    const value = fittingValue(shape, 'request', 'body', examples.values());
    if (media.isJson) return { type: sentType(media), text: stringifyJson(value) };
    const { type, bytes } = encodeBody(media, value);
    const text = new TextDecoder().decode(bytes);
    return text.includes('\uFFFD') ? undefined : { type, text };
  }

  function sampleResponse(media: MediaType, key: string): SampleBody | undefined {
    const { shape, examples } = media;
    if (!shape && examples.size === 0) return undefined;
    const [first] = examples.values();
    const value = shape ? fittingValue(shape, 'response', key, examples.values()) : first;
    return { type: responseType(media), text: mediaText(media, value) };
  }

  const media = bodyMedia(body);
  return {
    parameters: Object.fromEntries(
      parameters.map(({ name, in: place, shape }) => {
        const examples = shape.find('examples')?.value;
        const all = [...(Array.isArray(examples) ? examples : []), shape.find('example')?.value];
        const values = all.filter((one) => one !== undefined);
        return [`${place}.${name}`, textOf(fittingValue(shape, 'request', name, values))];
      }),
    ),
    body: media && sampleRequest(media),
    responses: Object.fromEntries(
      responses.flatMap((response) => {
        const preferred = preferredMedia(response);
        const made = preferred && sampleResponse(preferred, response.key);
        return made ? [[response.key, made]] : [];
      }),
    ),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyJson(value) ?? '');
}
