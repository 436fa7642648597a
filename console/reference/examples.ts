import { stringifyJson } from '../shell/exact-json.ts';
import { type Json, objectAt, objectsIn, textOf } from './document.ts';
import type { ReferenceModel } from './model.ts';

export interface Example {
  readonly name: string;
  readonly summary: string;
  readonly text: string;
}

/** The examples of a Media Type Object (OpenAPI 3.1 §4.8.14), else of its schema. */
export function examplesOf({ root }: Pick<ReferenceModel, 'root'>, media: Json): readonly Example[] {
  const examples = objectsIn(root, media.examples).flatMap(([name, value]): Example[] => {
    const datum = value.value ?? value.dataValue ?? value.serializedValue;
    if (datum === undefined) return [];
    return [{ name, summary: textOf(value.description) || textOf(value.summary), text: exampleText(datum) }];
  });
  if (examples.length > 0) return examples;
  const keywords = objectAt(root, media.schema);
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
