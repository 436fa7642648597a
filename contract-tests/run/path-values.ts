import {
  type Contract,
  collectionNamed,
  isRecord,
  jobOf,
  type Link,
  memberAt,
  type Operation,
  oncePer,
  type Parameter,
  parseRuntimeExpression,
  pathParameters,
  recordName,
  SAFE_METHODS,
  singularName,
} from '#spec';
import { creatorOf, furtherRoleOf, ownerOf } from '../laws/operation-role.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { jsonOf, type Response } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';

/** A response of another operation that contains the value for a parameter (Link Object, OpenAPI 3.1 §4.8.20). */
export interface Source {
  readonly operation: Operation;
  readonly expression: string;
}

/** Links of successful responses to requests that need no link themselves; safe operations come first. */
export function linkSources(
  contract: Contract,
  settings: Pick<Settings, 'values' | 'prepares'>,
  operation: Operation,
  name: string,
): Source[] {
  const sources = (linksByTarget(contract).get(operation.id) ?? [])
    .filter(
      ({ source }) =>
        source !== operation &&
        pathOfOwn(source).every((parameter) => isKnown(contract, settings, source, parameter)),
    )
    .flatMap(({ source, link }): Source[] => {
      const expression = expressionFor(link, name);
      return expression === undefined ? [] : [{ operation: source, expression }];
    });
  // The job that an import starts.
  const started = contract.operations.flatMap((one): Source[] => {
    const job =
      furtherRoleOf(contract, one)?.further.role === 'createMany' ? jobOf(one, contract) : undefined;
    return job?.read === operation && job.parameter === name
      ? [{ operation: one, expression: `$response.body#/${job.id}` }]
      : [];
  });
  sources.push(...started);
  const isSafe = (source: Source) => SAFE_METHODS.has(source.operation.method);
  return [...sources.filter(isSafe), ...sources.filter((source) => !isSafe(source))];
}

/** The described path parameters of an operation, in path order. */
export function pathOfOwn({ parameters, path }: Operation): Parameter[] {
  return pathParameters(path).flatMap(
    (name) => parameters.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? [],
  );
}

interface LinkOf {
  readonly source: Operation;
  readonly link: Link;
}

/** The links of successful responses by their target; cached, since each parameter is looked up. */
const linksByTarget = oncePer(({ operations }: Contract) => {
  const links = operations.flatMap((source): LinkOf[] =>
    source.responses
      .filter(({ key }) => key.startsWith('2'))
      .flatMap((response) => response.links.map((link) => ({ source, link }))),
  );
  return Map.groupBy(links, ({ link }) => link.operationId);
});

function expressionFor(link: Link, name: string): string | undefined {
  if (!isRecord(link.parameters)) return undefined;
  const expression = link.parameters[name] ?? link.parameters[`path.${name}`];
  return typeof expression === 'string' ? expression : undefined;
}

/** Whether there is a source for a parameter: a value from the user, an enumeration, or records. */
function isKnown(
  contract: Contract,
  { values, prepares }: Pick<Settings, 'values' | 'prepares'>,
  operation: Operation,
  { name, shape }: Parameter,
): boolean {
  const isListed = shape.values !== undefined || shape.mainType === 'boolean';
  if (name in values || isListed || prepares.has(operation.id)) return true;
  return ownerOf(contract, operation, name) !== undefined && !isBelowNew(contract, operation, name);
}

/**
 * Whether a change names something that no operation creates, below a record that the run creates for it: nothing exists
 * there, and values from other parents may be invalid.
 */
function isBelowNew(contract: Contract, operation: Operation, name: string): boolean {
  const creates = (one: string) => {
    const owner = ownerOf(contract, operation, one);
    return owner !== undefined && creatorOf(owner) !== undefined;
  };
  if (SAFE_METHODS.has(operation.method) || creates(name)) return false;
  const names = pathParameters(operation.path);
  return names.slice(0, names.indexOf(name)).some(creates);
}

/** The path parameters without a known source of existing values. */
export function guessedParameters(
  contract: Contract,
  settings: Pick<Settings, 'values' | 'prepares'>,
  operation: Operation,
): string[] {
  return pathOfOwn(operation)
    .filter(
      (parameter) =>
        !isKnown(contract, settings, operation, parameter) &&
        linkSources(contract, settings, operation, parameter.name).length === 0,
    )
    .map(({ name }) => name);
}

/**
 * The required query parameters without a known source: a text of unknown form, or a number that refers to a record, for
 * which the user gives no value.
 */
export function guessedQuery(
  { resources }: Pick<Contract, 'resources'>,
  { parameters }: Operation,
  { values }: Pick<Settings, 'values'>,
): Parameter[] {
  const isFree = ({ name, shape }: Parameter) => {
    const isText = shape.mainType === 'string' && !shape.find('format');
    const isId = () => shape.mainType === 'integer' && namesRecord(resources, name);
    return !SAYS_MORE.some((keyword) => shape.find(keyword)) && (isText || isId());
  };
  return parameters.filter((parameter) => {
    const { name, required, shape } = parameter;
    const isGuess = parameter.in === 'query' && required && !(name in values) && isFree(parameter);
    return isGuess && shape.ownExamples.length === 0;
  });
}

/** The parameters of a request whose values the run made up without a known source. */
export function guessedValues(
  contract: Contract,
  settings: Pick<Settings, 'values' | 'prepares'>,
  operation: Operation,
  { path, query }: Pick<RequestInput, 'path' | 'query'>,
): string[] {
  return [
    ...(path ? guessedParameters(contract, settings, operation) : []),
    ...guessedQuery(contract, operation, settings)
      .map(({ name }) => name)
      .filter((name) => query?.[name] === undefined),
  ];
}

const SAYS_MORE = ['enum', 'const', 'pattern', 'default'];

/** Whether a parameter refers to a record by its name: `project`, or `project_id`, for `/projects`. */
function namesRecord(resources: Contract['resources'], name: string): boolean {
  const noun = singularName(name);
  return (
    collectionNamed(resources, name) !== undefined ||
    resources.some(({ id, path }) => id && recordName(path) === noun)
  );
}

/**
 * A runtime expression over responses (OpenAPI 3.1 §4.8.20.4): `$response.body#/id`, `$response.header.ETag`. It reads the
 * latest of several responses; `$response.1.body#/id` reads the first.
 */
interface RuntimeExpression {
  /** From 1; undefined: the latest. */
  readonly step: number | undefined;
  readonly valueIn: (response: Response) => unknown;
}

/** Undefined: the text is no such expression. */
export function parseExpression(text: string): RuntimeExpression | undefined {
  const [, number] = /^\$response\.([1-9]\d*)\./.exec(text) ?? [];
  const source = parseRuntimeExpression(number === undefined ? text : text.replace(`.${number}`, ''));
  if (!source || !('of' in source) || source.of === 'request') return undefined;
  const valueIn = (response: Response) =>
    source.from === 'body' ? memberAt(jsonOf(response), source.pointer) : headerOf(response, source.name);
  return { step: number === undefined ? undefined : Number(number), valueIn };
}
