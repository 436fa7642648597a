import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type RecordedExchange, readHar } from '#har';
import { judgeLearned } from '#learn';
import { compileFindOperation } from '#observe';
import {
  type Contract,
  isJsonType,
  isRecord,
  isSecretName,
  loadContract,
  mediaTypeFor,
  type Operation,
  parseJson,
  pathForm,
  pathParameters,
  responseFor,
} from '#spec';
import { run } from '../testing/command.ts';
import type { Recording } from './recordings.ts';

/** How many of how many. */
export type Share = readonly [right: number, of: number];

/** What is right of a learned document, by the document of the service itself, and by those who read it. */
export interface Score {
  /** Of the service that were recorded. */
  readonly paths: Share;
  /** Of the learned document that the service does not have: not templated, or made up. */
  readonly wrongPaths: number;
  /** Path and query parameters that were recorded. */
  readonly parameters: Share;
  /** Statuses with a body of JSON whose schema says something, and all recorded bodies keep it. */
  readonly schemas: Share;
  /** What `paddock judge` finds in the same traffic, and exchanges that the document has no operation for. */
  readonly findings: number;
  readonly unmatched: number;
  /** Errors and warnings of `redocly lint` with its recommended rules. */
  readonly redocly: number;
  /** Credentials and other secrets of the recording that stand in the document. */
  readonly secrets: number;
}

type Answered = RecordedExchange & { readonly response: NonNullable<RecordedExchange['response']> };

/** @param file the learned document */
export async function scoreOf(file: string, recording: Recording): Promise<Score> {
  const exchanges = await readExchanges(recording);
  const truth = await loadContract(recording.document);
  const learned = await loadContract(file);
  const text = await readFile(file, 'utf8');
  const judged = await judgeLearned(learned, from(exchanges), [recording.url]);
  const findLearned = compileFindOperation(learned, [new URL(recording.url)]);
  return {
    ...sharesOf(exchanges, truth, learned, recording),
    findings: judged.findings.length,
    unmatched: exchanges.filter(({ request }) => 'why' in findLearned(request.method, request.url)).length,
    redocly: await problemsOf(file),
    secrets: [...secretsOf(exchanges)].filter((secret) => text.includes(secret)).length,
  };
}

async function readExchanges({ har, url }: Recording): Promise<Answered[]> {
  const all: Answered[] = [];
  for await (const item of readHar(har))
    if (!('problem' in item) && item.response && item.request.url.href.startsWith(`${url}/`))
      all.push({ ...item, response: item.response });
  return all;
}

async function* from(exchanges: readonly Answered[]): AsyncGenerator<Answered> {
  yield* exchanges;
}

function sharesOf(exchanges: readonly Answered[], truth: Contract, learned: Contract, { url }: Recording) {
  const find = compileFindOperation(truth, [new URL(url)]);
  const forms = new Set<string>();
  const parameters = new Map<string, boolean>();
  const bodies = new Map<string, boolean>();
  const own = new Map(learned.operations.map((one) => [`${one.method} ${pathForm(one.path)}`, one]));
  for (const { request, response } of exchanges) {
    const found = find(request.method, request.url);
    if ('why' in found) continue;
    const { operation } = found;
    const form = pathForm(operation.path);
    const key = `${operation.method} ${form}`;
    const mine = own.get(key);
    forms.add(form);
    for (const [index] of pathParameters(operation.path).entries())
      parameters.set(`${key} path ${index}`, mine !== undefined);
    const known = operation.parameters.filter((one) => one.in === 'query');
    for (const name of request.url.searchParams.keys())
      if (known.some((one) => one.name === name)) parameters.set(`${key} ${name}`, hasQuery(mine, name));
    const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    if (!isJsonType(type) || response.body.length === 0) continue;
    const place = `${key} ${response.status}`;
    bodies.set(place, bodies.get(place) !== false && keeps(learned, mine, response, type));
  }
  const learnedForms = new Set(learned.operations.map(({ path }) => pathForm(path)));
  const right = [...learnedForms].filter((form) => forms.has(form)).length;
  return {
    paths: [right, forms.size],
    wrongPaths: learnedForms.size - right,
    parameters: shareOf(parameters),
    schemas: shareOf(bodies),
  } as const satisfies Partial<Score>;
}

function shareOf(all: ReadonlyMap<string, boolean>): Share {
  return [[...all.values()].filter(Boolean).length, all.size];
}

function hasQuery(operation: Operation | undefined, name: string): boolean {
  return operation?.parameters.some((one) => one.in === 'query' && one.name === name) === true;
}

/** Whether a response has a schema that is not empty, and its body keeps it. */
function keeps(
  { validators }: Contract,
  operation: Operation | undefined,
  { status, body }: Answered['response'],
  type: string,
): boolean {
  const documented = operation && responseFor(operation.responses, status);
  const schema = documented && mediaTypeFor(documented.content, type)?.schema;
  if (!schema || !isRecord(schema.value) || Object.keys(schema.value).length === 0) return false;
  const value = parseJson(new TextDecoder().decode(body));
  return validators.compile(schema, 'response')(value).length === 0;
}

/** Credentials, and texts whose names say that they are secret. */
function secretsOf(exchanges: readonly Answered[]): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string' && isSecretName(name) && value.length >= 6) found.add(value);
    else if (Array.isArray(value)) for (const item of value) visit(item, name);
    else if (isRecord(value)) for (const [key, member] of Object.entries(value)) visit(member, key);
  };
  for (const { request, response } of exchanges) {
    for (const [name, value] of request.headers)
      if (name.toLowerCase() === 'authorization') found.add(value.replace(/^\w+ /, ''));
    for (const body of [request.body, response.body])
      try {
        visit(JSON.parse(new TextDecoder().decode(body)), '');
      } catch {
        // It is no JSON.
      }
  }
  return found;
}

async function problemsOf(file: string): Promise<number> {
  const command = ['redocly', 'lint', file, '--format', 'json', '--max-problems', '1000'];
  const { output } = await run(dirname(file), command, { REDOCLY_TELEMETRY: 'off' });
  const [, errors, warnings] = /"errors": *(\d+),\s*"warnings": *(\d+)/.exec(output) ?? [];
  if (errors === undefined) throw new Error(`redocly has no result: ${output.slice(0, 500)}`);
  return Number(errors) + Number(warnings);
}
