import { stringifyJson } from '../shell/exact-json.ts';
import { isObject, type Json, resolve } from './document.ts';
import { type ReferenceModel, textOf } from './model.ts';

export interface Example {
  readonly name: string;
  readonly summary: string;
  readonly text: string;
}

/** The examples of a Media Type Object (OpenAPI 3.1 §4.8.14), else of its schema. */
export function examplesOf({ root }: Pick<ReferenceModel, 'root'>, media: Json): readonly Example[] {
  const named = isObject(media.examples) ? Object.entries(media.examples) : [];
  const examples = named.flatMap(([name, written]): Example[] => {
    const { value } = resolve(root, written);
    if (!isObject(value)) return [];
    const datum = value.value ?? value.dataValue ?? value.serializedValue;
    if (datum === undefined) return [];
    return [{ name, summary: textOf(value.description) || textOf(value.summary), text: exampleText(datum) }];
  });
  if (examples.length > 0) return examples;
  const { value: schema } = resolve(root, media.schema);
  const keywords = isObject(schema) ? schema : {};
  const more = [
    media.example,
    keywords.example,
    ...(Array.isArray(keywords.examples) ? keywords.examples : []),
  ];
  return more
    .filter((value) => value !== undefined)
    .map((value, index) => ({ name: `example ${index + 1}`, summary: '', text: exampleText(value) }));
}

function exampleText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value, 2);
}
