import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, loadContract } from '../contract.ts';
import type { LoadOptions } from '../document/load-document.ts';
import type { DocumentError, Problem } from '../document/source-file.ts';
import type { Spot } from '../document/spot.ts';
import { stringifyJson } from '../json/exact-json.ts';
import { Shape } from '../schema/shape.ts';
import type { Direction } from '../schema/translate.ts';
import type { Validate } from '../schema/validator.ts';

/** File names with their text, or with a value to write as JSON; the first one is the document. */
export type Files = Readonly<Record<string, unknown>>;

/** Loads a document from temporary files; `options` may name overlays among them. */
export async function contractOf(files: Files, options: LoadOptions = {}): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      const isText = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(join(folder, name), isText ? content : stringifyJson(content));
    }
    const overlays = options.overlays?.map((name) => join(folder, name)) ?? [];
    return await loadContract(join(folder, Object.keys(files)[0] as string), { ...options, overlays });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The problems of an invalid document in strict mode, with file names as `uri`. */
export async function problemsOf(files: Files, options: LoadOptions = {}): Promise<Problem[]> {
  const error = await contractOf(files, { ...options, strictDocument: true }).then(
    () => undefined,
    (reason: DocumentError) => reason,
  );
  if (!error?.problems) throw error ?? new Error('the document was accepted');
  return error.problems.map((problem) => ({ ...problem, uri: problem.uri.replace(/^.*[/\\]/, '') }));
}

/** A document with these paths and other members. */
export function documentOf(paths: object, others: object = {}): Record<string, unknown> {
  return { openapi: '3.1.1', info: { title: 'A service', version: '1' }, paths, ...others };
}

export interface SchemaInUse {
  readonly spot: Spot;
  readonly shape: Shape;
  readonly validate: Validate;
  readonly contract: Contract;
}

/** A schema as the body of the only operation; the others are its `#/components/schemas/...`. */
export async function schemaInUse(
  schema: unknown,
  { others = {}, openapi = '3.1.1', direction = 'request' as Direction } = {},
): Promise<SchemaInUse> {
  const post = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Done' } },
  };
  const document = documentOf({ '/things': { post } }, { openapi, components: { schemas: others } });
  const contract = await contractOf({ 'document.json': document });
  const spot = contract.operations[0]?.body?.content[0]?.schema as Spot;
  return {
    spot,
    shape: new Shape([spot]),
    validate: contract.validators.compile(spot, direction),
    contract,
  };
}
