import { DocumentError } from './document/problem.ts';
import { readAs, repaired } from './document/repair.ts';
import { addProblem, type Document, rawChild, type Spot } from './document/spot.ts';
import { describeValue } from './document/typed-member.ts';
import { isRecord } from './json/json-type.ts';

/**
 * The document as OpenAPI 3: itself, or what Swagger 2.0 is converted to; the warnings of that are in the one given.
 * @throws DocumentError if it has no version that is read
 */
export async function asOpenApi3(document: Document): Promise<Document> {
  const { root, problems } = document;
  const [key, message] = versionProblem(root) ?? [];
  if (message) addProblem((key && rawChild(root, key)) || root, message);
  if (problems.length > 0) throw new DocumentError(problems);
  const version = rawChild(root, 'openapi');
  if (!version) return (await import('./swagger/convert.ts')).convertSwagger(document);
  const short = SHORT_VERSIONS[String(version.value)];
  if (short === undefined) return document;
  const written = describeValue(version.value);
  readAs(
    version,
    short,
    `"openapi" must be a text with three numbers, not ${written}; it is read as ${short}`,
  );
  return repaired(document);
}

/** Versions that lack their third number; YAML reads them as numbers, `3.0` as 3. */
const SHORT_VERSIONS: Readonly<Record<string, string>> = {
  '3': '3.0.0',
  '3.0': '3.0.0',
  '3.1': '3.1.0',
  '3.2': '3.2.0',
};

function versionProblem({ file, value }: Spot): [key: string | undefined, message: string] | undefined {
  if (file.text.trim() === '') return [undefined, 'the file is empty'];
  if (!isRecord(value))
    return [undefined, `an OpenAPI document must be an object, not ${describeValue(value)}`];
  const { openapi, swagger } = value;
  if ('openapi' in value) {
    if (/^3\.[012]\.\d+/.test(String(openapi)) || Object.hasOwn(SHORT_VERSIONS, String(openapi)))
      return undefined;
    const wanted = '"openapi" must be a version 3.0.x, 3.1.x or 3.2.x such as 3.1.1';
    return ['openapi', `${wanted}, not ${describeValue(openapi)}`];
  }
  if (!('swagger' in value)) {
    const missing = 'the member "openapi" (3.0.x, 3.1.x or 3.2.x) is missing';
    return [undefined, `this is no OpenAPI document: ${missing}`];
  }
  // YAML reads 2.0 as a number.
  if (['2.0', '2'].includes(String(swagger))) return undefined;
  return ['swagger', `of Swagger only version 2.0 is read, not ${describeValue(swagger)}`];
}
