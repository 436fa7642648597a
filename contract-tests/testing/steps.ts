import { fileURLToPath } from 'node:url';
import { type Contract, loadContract, responseFor, SAFE_METHODS, stringifyJson } from '#spec';
import { ALL_LAWS, judgeExchange } from '../laws/all-laws.ts';
import { type Evidence, gatherEvidence } from '../laws/evidence.ts';
import { type LawName, presumedIn } from '../laws/law.ts';
import { type Maker, roleOf } from '../laws/operation-role.ts';
import { createRecordModel, type RecordModel } from '../laws/record-model.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import { decodeResponse, type Exchange } from '../send/response.ts';

/** The documents for tables of rules; the operation id identifies the document. */
const DOCUMENTS = [
  '../../spec/openapi.yaml',
  '../../fixtures/specs/libraries.yaml',
  '../../fixtures/specs/warehouse.yaml',
  '../../fixtures/specs/tide-gauges.yaml',
  '../../fixtures/specs/turnstiles.yaml',
  '../../fixtures/specs/fleet.yaml',
  '../../fixtures/specs/kennels.yaml',
  '../../fixtures/specs/dispatches.yaml',
  '../../fixtures/specs/auctions.yaml',
  '../../fixtures/specs/wiki.yaml',
  '../../fixtures/specs/orchards.yaml',
  '../../fixtures/specs/quarries.yaml',
  './workshop.yaml',
  './shelves.yaml',
  './clinic.yaml',
  '../../fixtures/documents/telegraph.yaml',
  '../../fixtures/specs/depots.yaml',
  '../../fixtures/specs/freight.yaml',
];

const contracts = await Promise.all(
  DOCUMENTS.map((name) => loadContract(fileURLToPath(new URL(name, import.meta.url)))),
);

/** A short form of an exchange. */
export interface Step {
  readonly operationId: string;
  readonly input: RequestInput;
  readonly status: number;
  /** A text or bytes are used unchanged, any other value as JSON; undefined: none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request and its response; the documented media type is used unless a header sets another. */
export function ask(
  operationId: string,
  input: RequestInput,
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Step {
  return { operationId, input, status, body, headers };
}

const TARGET = {
  base: new URL('http://service.test/v1'),
  basePaths: [],
  apiKey: 'the-key',
  credentials: {},
  headers: [],
};

/** @param beside the document to prefer if it has the operation, too */
export function contractWith(operationId: string, beside?: Contract): Contract {
  const contract = [...(beside ? [beside] : []), ...contracts].find(({ operations }) =>
    operations.some(({ id }) => id === operationId),
  );
  if (!contract) throw new Error(`no document has ${operationId}`);
  return contract;
}

/** The exchange of a step. */
export function exchangeIn(
  contract: Contract,
  { operationId, input, status, body, headers }: Step,
): Exchange {
  const operation = contract.operations.find(({ id }) => id === operationId);
  if (!operation) throw new Error(operationId);
  const documented = responseFor(operation.responses, status)?.content[0]?.type ?? 'application/json';
  const all = { ...(body !== undefined && { 'Content-Type': documented }), ...headers };
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const response = decodeResponse(
    {
      status,
      headers: Object.entries(all).filter(([, value]) => value !== ''),
      body: Buffer.from(isRaw ? (body ?? '') : stringifyJson(body)),
      cut: false,
      ms: 1,
    },
    operation,
  );
  return { operation, input, request: planRequest(TARGET, operation, input), response };
}

/** The result of judging the exchanges of a sequence. */
export interface Judged {
  /** `LAW: RECEIVED | DOCUMENTED`, without line numbers, as documents grow. */
  readonly breaches: readonly string[];
  /** The rules that apply to the last exchange. */
  readonly applying: ReadonlySet<LawName>;
  readonly model: RecordModel;
  readonly last: Evidence | undefined;
}

/**
 * Judges exchanges one after the other like a run, with what it knows from the earlier ones.
 * @param viewer the case that sends them
 */
export function judge(steps: readonly Step[], model = createRecordModel(), viewer?: Maker): Judged {
  const earlier: Evidence[] = [];
  const breaches: string[] = [];
  let applying = new Set<LawName>();
  let contract: Contract | undefined;
  for (const step of steps) {
    contract = contractWith(step.operationId, contract);
    const exchange = exchangeIn(contract, step);
    const view = model.begin(roleOf(contract, exchange.operation), step.input, undefined, viewer);
    const evidence = gatherEvidence(exchange, { contract, model: view, earlier: [...earlier] });
    applying = new Set(ALL_LAWS.filter((law) => law.judge(evidence) !== undefined).map(({ name }) => name));
    const judgements = judgeExchange(evidence);
    for (const { breach } of judgements)
      breaches.push(
        `${presumedIn(breach) ? 'presumed ' : ''}${breach.law}: ${breach.received} | ${breach.documented.replace(/(?<=\.yaml):\d+/, '')}`,
      );
    model.observe(evidence, judgements.length === 0);
    if (judgements.length > 0 && SAFE_METHODS.has(evidence.operation.method)) model.observe(evidence, true);
    view.end(true);
    earlier.push(evidence);
  }
  return { breaches, applying, model, last: earlier.at(-1) };
}
