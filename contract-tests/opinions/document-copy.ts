import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, isRecord, sample, stringifyJson } from '#spec';
import { createFiles, type Files } from './document-files.ts';

/** The document as one file in a folder of its own. */
export interface DocumentCopy {
  readonly folder: string;
  readonly file: string;
  remove(): Promise<void>;
}

/**
 * Copies a document for judges. Left out are `default` responses: they would let pass every status that is not
 * documented, and Dredd would take them for a second 200. What stands in other files is written in its place, and a
 * parameter that must be there gets an example, since Dredd does not go on without; nobody looks at its value.
 */
export async function copyDocument(contract: Contract): Promise<DocumentCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const file = join(folder, 'document.json');
  const copy: Copy = { files: createFiles(contract.document), examples: examplesOf(contract) };
  const { root } = copy.files;
  await writeFile(
    file,
    stringifyJson(rewrite(copy, { file: root, value: contract.document.root.value }, [], [])),
  );
  return { folder, file, remove: () => rm(folder, { recursive: true, force: true }) };
}

interface Copy {
  readonly files: Files;
  readonly examples: ReadonlyMap<string, unknown>;
}

interface Here {
  readonly file: string;
  readonly value: unknown;
}

/** @param inside references that are being written out: one that leads into itself stays a reference */
function rewrite(
  copy: Copy,
  { file, value }: Here,
  path: readonly string[],
  inside: readonly string[],
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => rewrite(copy, { file, value: item }, [...path, String(index)], inside));
  if (!isRecord(value)) return value;
  if (typeof value.$ref === 'string') {
    const written = writeOut(copy, { file, value }, value.$ref, path, inside);
    if (written !== undefined) return written;
  }
  const members = isResponses(value, path) ? withoutDefault(value) : Object.entries(value);
  const rewritten = Object.fromEntries(
    members.map(([name, member]) => [name, rewrite(copy, { file, value: member }, [...path, name], inside)]),
  );
  return lacksExample(value) ? { ...rewritten, example: copy.examples.get(String(value.name)) } : rewritten;
}

/** What a reference to another file names; undefined: it may stay as it is. */
function writeOut(
  copy: Copy,
  { file, value }: Here,
  reference: string,
  path: readonly string[],
  inside: readonly string[],
): unknown {
  const found = copy.files.find(reference, file);
  if (!found || found.file === copy.files.root)
    return found && { ...(value as object), $ref: found.fragment };
  // Nothing finite says as much; a judge that cannot do without the whole of it may say so.
  if (inside.includes(found.id)) return {};
  const written = rewrite(copy, found, path, [...inside, found.id]);
  const { $ref: _, summary: __, description: ___, ...siblings } = value as Record<string, unknown>;
  return Object.keys(siblings).length === 0 ? written : { ...siblings, allOf: [written] };
}

/** A Responses Object, told from the named responses under `components` by what its keys are. */
function isResponses(value: Record<string, unknown>, path: readonly string[]): boolean {
  return (
    path.at(-1) === 'responses' &&
    path.at(-2) !== 'components' &&
    Object.keys(value).every((key) => /^(?:[1-5](?:\d\d|XX)|default|x-.*)$/.test(key))
  );
}

/** Where there is nothing but `default`, it is what is documented. */
function withoutDefault(responses: Record<string, unknown>): [string, unknown][] {
  const others = Object.entries(responses).filter(([key]) => key !== 'default');
  return others.some(([key]) => /^\d/.test(key)) ? others : Object.entries(responses);
}

function lacksExample(value: Record<string, unknown>): boolean {
  return (
    typeof value.name === 'string' &&
    (value.in === 'path' || value.in === 'query') &&
    value.required === true &&
    !('example' in value || 'examples' in value)
  );
}

function examplesOf({ operations }: Contract): ReadonlyMap<string, unknown> {
  const parameters = operations.flatMap((operation) => operation.parameters);
  return new Map(parameters.map(({ name, shape }) => [name, sample(shape, { key: name })]));
}
