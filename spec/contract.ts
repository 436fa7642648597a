import { type LoadOptions, loadDocument } from './document/load-document.ts';
import { DocumentError } from './document/problem.ts';
import { addProblem, type Document, rawChild, type Spot } from './document/spot.ts';
import { describeValue, textAt } from './document/typed-member.ts';
import { isRecord } from './json/json-type.ts';
import { type Operation, readOperations } from './operation.ts';
import { inferResources, type Resource } from './resources.ts';
import { checkCircularReferences, type Visited } from './schema/circular-references.ts';
import { checkKeywords } from './schema/keywords.ts';
import { walkSchemas } from './schema/subschemas.ts';
import { checkUnsupportedKeywords } from './schema/unsupported-keywords.ts';
import { createValidators, type Validators } from './schema/validator.ts';
import { readServers, type Server } from './server.ts';

/** The OpenAPI document, read and compiled once. */
export interface Contract {
  readonly document: Document;
  readonly title: string;
  readonly version: string;
  readonly servers: readonly Server[];
  /** The path of the first server: `/v1`, or the empty text. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly validators: Validators;
}

/**
 * Reads an OpenAPI 3.0 or 3.1 document (path or http(s) URL; YAML or JSON; any number of files).
 * @throws DocumentError that shows every problem with file, line and column.
 */
export async function loadContract(location: string, options: LoadOptions = {}): Promise<Contract> {
  return compileContract(await loadDocument(location, options));
}

/** @throws DocumentError that shows every problem */
export function compileContract(document: Document): Contract {
  try {
    return compile(document);
  } catch (error) {
    // Schemas are walked by recursion; no chain that people write comes near the end of the stack.
    if (!(error instanceof RangeError)) throw error;
    const message = 'its schemas lead from one to the next too many thousand times';
    throw new DocumentError([document.root.file.problemAt([], message)]);
  }
}

function compile(document: Document): Contract {
  const { root, problems } = document;
  requireVersion(document);
  const operations = readOperations(root);
  const servers = readServers(root);
  const contract: Contract = {
    document,
    title: readInfo(document, 'title'),
    version: readInfo(document, 'version'),
    servers,
    basePath: servers[0]?.basePath ?? '',
    operations,
    resources: [],
    validators: createValidators(),
  };
  checkSchemas(operations);
  if (operations.length === 0) addProblem(root, 'the document describes no operation under "paths"');
  if (problems.length > 0) throw new DocumentError(withoutRepeats(document));
  return Object.freeze({ ...contract, resources: inferResources(operations) });
}

function requireVersion({ root, problems }: Document): void {
  if (root.file.text.trim() === '') addProblem(root, 'the file is empty');
  else if (!isRecord(root.value)) {
    addProblem(root, `an OpenAPI document must be an object, not ${describeValue(root.value)}`);
  } else if ('swagger' in root.value) {
    addProblem(
      rawChild(root, 'swagger') ?? root,
      'Swagger 2.0 is not supported: convert the document to OpenAPI 3 first',
    );
  } else if (!('openapi' in root.value)) {
    addProblem(root, 'this is no OpenAPI document: the member "openapi" (3.0.x or 3.1.x) is missing');
  } else if (!/^3\.[01]\.\d+/.test(String(root.value.openapi))) {
    addProblem(
      rawChild(root, 'openapi') ?? root,
      `"openapi" must be a version 3.0.x or 3.1.x such as 3.1.1, not ${describeValue(root.value.openapi)}`,
    );
  }
  if (problems.length > 0) throw new DocumentError(problems);
}

function readInfo({ root }: Document, key: 'title' | 'version'): string {
  const info = rawChild(root, 'info');
  return (info && textAt(info, key)) ?? '';
}

function checkSchemas(operations: readonly Operation[]): void {
  const seen = new Set<unknown>();
  const visited: Visited = new Map();
  const check = (schema: Spot) => {
    checkKeywords(schema);
    checkUnsupportedKeywords(schema);
    checkCircularReferences(schema, visited);
  };
  for (const { parameters, body, responses } of operations) {
    const media = [body?.content ?? [], ...responses.map(({ content }) => content)].flat();
    const headers = responses.flatMap((response) => response.headers);
    for (const { schema } of [...parameters, ...media, ...headers]) {
      if (!schema) continue;
      checkCircularReferences(schema, visited);
      walkSchemas(schema, check, seen);
    }
  }
}

/** A shared part is read once for each use, and would addProblem as often. */
function withoutRepeats({ problems }: Document) {
  const keyed = problems.map((problem) => {
    const { uri, line, column, message } = problem;
    return [`${uri}:${line}:${column}:${message}`, problem] as const;
  });
  return [...new Map(keyed).values()];
}
