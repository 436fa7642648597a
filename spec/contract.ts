import { readDocument } from './document/create-document.ts';
import type { LoadOptions } from './document/load-document.ts';
import { readAs, repaired } from './document/repair.ts';
import { DocumentError, type Problem } from './document/source-file.ts';
import {
  addProblem,
  addWarning,
  type Document,
  describeValue,
  type Repair,
  rawChild,
  type Spot,
  textAt,
} from './document/spot.ts';
import { contradictions } from './explain/contradictions.ts';
import { isRecord } from './json/json-value.ts';
import { findOmissions, type LeftOut, leftOutAt, type Omissions } from './left-out.ts';
import { type Operation, readOperations } from './operation.ts';
import { type OutgoingOperation, readOutgoing } from './outgoing.ts';
import { inferResources } from './resources/infer.ts';
import { presumedBodies } from './resources/presumed-bodies.ts';
import { presumedExamples } from './resources/presumed-examples.ts';
import { presumedResponses, saidLists } from './resources/presumed-responses.ts';
import type { Resource, Singleton } from './resources/resource.ts';
import { checkSchemas } from './schema/keywords.ts';
import { type Validators, validatorsOf } from './schema/validator.ts';
import { readSchemeNames } from './security.ts';
import { NO_SERVERS, readServers, type Served } from './server.ts';

/**
 * A parsed and compiled OpenAPI document; frozen. Experimental members show compiler internals, which may change in any
 * version.
 */
export interface Contract extends Served {
  /** @experimental */
  readonly document: Document;
  /** `info.title`, or the empty string. */
  readonly title: string;
  /** `info.version`, or the empty string. */
  readonly version: string;
  /** The path of the first server without a trailing slash: `/v1`, or the empty string. */
  readonly basePath: string;
  /** In the order of the document; empty if it only describes webhooks or components. */
  readonly operations: readonly Operation[];
  /**
   * Callbacks and webhooks, which the service sends and its clients receive.
   * @experimental
   */
  readonly outgoing: readonly OutgoingOperation[];
  /** @experimental */
  readonly resources: readonly Resource[];
  /** @experimental */
  readonly singletons: readonly Singleton[];
  /** The names in `components.securitySchemes`, used or not. */
  readonly securitySchemes: readonly string[];
  /** @experimental */
  readonly validators: Validators;
  /** Operations that cannot be read because they need a reference without a target. They are not in `operations`. */
  readonly leftOut: readonly LeftOut[];
  /**
   * Violations of the specification, and how the document is read despite them; empty for a valid document. References
   * because of which operations are omitted come first.
   */
  readonly warnings: readonly Problem[];
}

/**
 * Reads and compiles an OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0).
 * @param location path or http(s) URL of a YAML or JSON file, which may refer to others
 * @throws DocumentError with every problem, if a file cannot be read or the document is invalid
 */
export async function loadContract(location: string, options: LoadOptions = {}): Promise<Contract> {
  const { loadDocument } = await import('./document/load-document.ts');
  return compileContract(await loadDocument(location, options), options);
}

/**
 * Reads and compiles an OpenAPI document in memory that refers to no other file.
 * @param source YAML or JSON text, or its value
 * @param uri for messages
 * @throws DocumentError with every problem, if the document is invalid
 */
export async function readContract(
  source: string | object,
  uri: string,
  options: Pick<LoadOptions, 'strictDocument' | 'presumeResponses'> = {},
): Promise<Contract> {
  return compileContract(readDocument(source, uri), options);
}

/**
 * Compiles a loaded document.
 * @throws DocumentError with every problem, if the document is not usable
 */
export async function compileContract(
  document: Document,
  { strictDocument = false, presumeResponses = false }: LoadOptions = {},
): Promise<Contract> {
  try {
    return compile(document, await asOpenApi3(document), strictDocument, presumeResponses);
  } catch (error) {
    // Schemas are visited recursively; no real chain of references comes near the end of the stack.
    if (!(error instanceof RangeError)) throw error;
    const message = 'its schemas lead from one to the next too many thousand times';
    throw new DocumentError([document.root.file.problemAt([], message)]);
  }
}

function compile(original: Document, readable: Document, strict: boolean, fillsIn: boolean): Contract {
  const omissions = findOmissions(original);
  const warnings: Problem[] = [...omissions.warnings];
  const problems: Problem[] = [];
  const gather = (read: Document) => {
    // One at a time, since there may be more than a call can have arguments.
    for (const warning of read.warnings) warnings.push(warning);
    for (const problem of read.problems) problems.push(problem);
  };
  if (readable !== original) gather(original);
  const read = readRepaired(readable, omissions, gather);
  const { document, operations, outgoing, served } = [[saidLists], ...(fillsIn ? FILLED_IN : [])].reduce(
    (parts, by) => withPresumed(parts, omissions, ...by),
    read,
  );
  // If every operation is omitted, the document is useless.
  const isLost = omissions.leftOut.length > 0 && operations.length + outgoing.length === 0;
  const refused = [...problems, ...(isLost ? omissions.problems : strict ? warnings : [])];
  if (refused.length > 0) throw new DocumentError(withoutRepeats(refused));
  const inferred = inferResources(operations);
  warnings.push(...contradictions(operations, inferred));
  if (document.problems.length > 0) throw new DocumentError(withoutRepeats(document.problems));
  const info = rawChild(document.root, 'info');
  return Object.freeze({
    document,
    title: (info && textAt(info, 'title')) ?? '',
    version: (info && textAt(info, 'version')) ?? '',
    ...served,
    basePath: served.basePaths[0] ?? '',
    operations,
    outgoing,
    ...inferred,
    securitySchemes: readSchemeNames(document.root),
    validators: validatorsOf(document),
    leftOut: leftOutAt(omissions.leftOut, served),
    warnings: withoutRepeats(warnings),
  });
}

/**
 * The document as OpenAPI 3; Swagger 2.0 is converted, with warnings added to the original.
 * @throws DocumentError if its version is not supported
 */
async function asOpenApi3(document: Document): Promise<Document> {
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

/** Versions without their third number; YAML reads them as numbers, `3.0` as 3. */
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

/** A repair may make parts reachable that were not before. */
const MAX_ROUNDS = 20;

/** Reads a document and applies the repairs that it needs, until it needs none. */
function readRepaired(document: Document, omissions: Omissions, gather: (read: Document) => void): Parts {
  let parts = readParts(document, omissions);
  gather(parts.document);
  for (let round = 0; parts.document.repairs.length > 0 && round < MAX_ROUNDS; round++) {
    parts = readParts(repaired(parts.document), omissions);
    gather(parts.document);
  }
  // Each round makes the document smaller, unless a map refers to itself.
  const [left] = parts.document.repairs;
  if (left) throw new DocumentError([left.spot.file.problemAt(left.spot.path, 'this refers to itself')]);
  return parts;
}

/** What to presume, in order, since later steps use the results of earlier ones: members from examples are first. */
const FILLED_IN = [[presumedExamples], [presumedResponses, presumedBodies]];

/** Adds the bodies that the document says or implies outside its schemas. */
function withPresumed(
  read: Parts,
  omissions: Omissions,
  ...by: readonly ((operations: Parts['operations']) => Repair[])[]
): Parts {
  const presumed = by.flatMap((one) => one(read.operations));
  if (presumed.length === 0) return read;
  read.document.repairs.push(...presumed);
  return readParts(repaired(read.document), omissions);
}

interface Parts {
  readonly document: Document;
  readonly operations: readonly Operation[];
  readonly outgoing: readonly OutgoingOperation[];
  readonly served: Served;
}

function readParts(document: Document, { has }: Omissions): Parts {
  const { root } = document;
  const served = readServers(root, NO_SERVERS);
  const operations = readOperations(root, has, served);
  checkNumber(operations, root);
  const outgoing = readOutgoing(root, operations, has);
  const info = rawChild(root, 'info');
  for (const key of ['title', 'version']) if (info) textAt(info, key);
  checkSchemas([...operations, ...outgoing].flatMap(schemasOf));
  if (operations.length === 0) addWarning(root, 'the document describes no operation under "paths"');
  return { document, operations, outgoing, served };
}

/** Each takes some 13 kB: this number needs 2 GiB, and Node ends the process when memory runs out. */
const MAX_OPERATIONS = 150_000;

function checkNumber({ length }: readonly Operation[], root: Spot): void {
  if (length <= MAX_OPERATIONS) return;
  const message = `the document has ${length} operations, of which at most ${MAX_OPERATIONS} can be read`;
  throw new DocumentError([root.file.problemAt(['paths'], message)]);
}

/** The schemas of parameters, bodies and headers, without following references. */
function schemasOf({ parameters, body, responses }: Operation): Spot[] {
  const parts = responses.flatMap(({ content, headers }) => [...content, ...headers]);
  return [...parameters, ...(body?.content ?? []), ...parts].flatMap(({ schema }) => schema ?? []);
}

/** A shared part is read, and reported, once for each use. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const keyed = problems.map((problem) => {
    const { uri, line, column, message } = problem;
    return [`${uri}:${line}:${column}:${message}`, problem] as const;
  });
  return [...new Map(keyed).values()];
}
