import { loadFakerLibrary } from '#platform';
import {
  type Contract,
  isListOf,
  isRecord,
  isText,
  type OptionRule,
  readContract,
  stringifyJson,
} from '#spec';
import { type Mock, openMock } from '../mock.ts';
import type { MockOptions } from '../options.ts';
import { inlinePictures } from '../pictures/picture.ts';
import type { RecordSource } from '../records/snapshot/initial-records.ts';
import type { Snapshot } from '../records/snapshot/snapshot.ts';
import { MOCK_OPTIONS, resolveOptions } from '../resolve-options.ts';
import { createServing } from '../serving.ts';
import type { RuleForm } from '../sessions/preferences/rules.ts';
import { loadTemplates } from '../sessions/preferences/template.ts';
import { openMemoryStore } from '../store/memory.ts';

/** Options of {@link createMock} in a browser: those of Node without files, sockets and databases. */
export interface BrowserMockOptions<P = unknown, O = unknown> extends Omit<MockOptions<P, O>, OfNode> {
  /**
   * An OpenAPI 3.0, 3.1 or 3.2 document or Swagger 2.0: its YAML or JSON text, its value, or another mock's contract. It
   * must not refer to other files. Required.
   */
  readonly document: string | object | Contract;
  /** The name of the document in messages. Default: `openapi.yaml`, and `openapi.json` for a value. */
  readonly documentName?: string | undefined;
  /** Scheme, host and port of {@link Mock.url}, against which paths are resolved. Default: `http://localhost`. */
  readonly origin?: string | undefined;
  /** Initial states, also as YAML or JSON text. Default: seeded records, no rules. */
  readonly fixtures?: readonly (string | Seeds)[] | undefined;
}

/** Options that need files, sockets or databases. */
type OfNode =
  | 'allowRefs'
  | 'document'
  | 'fixtures'
  | 'host'
  | 'judge'
  | 'log'
  | 'overlays'
  | 'port'
  | 'recorded'
  | 'replica'
  | 'scenarios'
  | 'sources'
  | 'store'
  | 'upstream'
  | 'upstreamTimeout'
  | 'watch';

/** The content of a seed file. */
export interface Seeds extends Partial<Snapshot> {
  readonly rules?: readonly RuleForm[];
  /** Milliseconds, or a range such as `'50-150'`. */
  readonly latency?: number | string;
  /** RFC 3339. */
  readonly now?: string;
}

const isOrigin = (value: unknown) =>
  typeof value === 'string' &&
  /^https?:$/.test(URL.parse(value)?.protocol ?? '') &&
  URL.parse(value)?.origin === value;

const OF_NODE: OptionRule = {
  allowed: 'absent',
  isAllowed: () => false,
  problem: () => 'a mock in a browser does not have it',
};

/** The rules for options that differ in browsers. */
const BROWSER_OPTIONS: Readonly<Record<keyof BrowserMockOptions | OfNode, OptionRule>> = {
  ...MOCK_OPTIONS,
  document: {
    allowed: 'the text of a document, its value or a contract',
    isAllowed: (value) => isText(value) || isRecord(value),
    isRequired: () => true,
  },
  documentName: { allowed: 'a text', isAllowed: isText },
  origin: { allowed: 'an origin such as https://api.example', isAllowed: isOrigin },
  fixtures: {
    allowed: 'a list of states or of their texts',
    isAllowed: isListOf((item) => isText(item) || isRecord(item)),
  },
  allowRefs: OF_NODE,
  host: OF_NODE,
  judge: OF_NODE,
  log: OF_NODE,
  overlays: OF_NODE,
  port: OF_NODE,
  recorded: OF_NODE,
  replica: OF_NODE,
  scenarios: OF_NODE,
  sources: OF_NODE,
  store: OF_NODE,
  upstream: OF_NODE,
  upstreamTimeout: OF_NODE,
  watch: OF_NODE,
};

/**
 * Starts a mock of an OpenAPI document in a page or worker: `mock.fetch` responds to requests, and records are kept in
 * memory. Faker is loaded, with a dynamic import, if the document has members with known names, or `x-faker`.
 * @throws RangeError naming each unknown option and each invalid value; DocumentError if the document or a state is
 * invalid; Error if the page's Content-Security-Policy lacks 'unsafe-eval'.
 * @example
 * ```ts
 * const document = await (await fetch('/openapi.yaml')).text();
 * const mock = await createMock({ document });
 * const response = await mock.fetch('/things', { headers: { Authorization: `Bearer ${BUILT_IN_KEY}` } });
 * ```
 */
export async function createMock<P = unknown, O = unknown>(
  options: BrowserMockOptions<P, O>,
): Promise<Mock<P>> {
  checkEvaluation();
  const { document, documentName, origin = 'http://localhost', fixtures = [] } = options;
  const resolved = resolveOptions(options as MockOptions, () => openMemoryStore, BROWSER_OPTIONS);
  const usualName = typeof document === 'string' ? 'openapi.yaml' : 'openapi.json';
  const contract = isContract(document)
    ? document
    : await readContract(document, documentName ?? usualName, {
        strictDocument: resolved.strictDocument,
        presumeResponses: true,
      });
  if (mayNeedFaker(contract) || resolved.seedCode) await loadFakerLibrary();
  const recordSources = fixtures.map(seedText);
  const servingOptions = { ...resolved, document: contract, recordSources, listensAt: () => origin };
  const serving = await createServing(contract, servingOptions, () => origin, inlinePictures);
  async function close(): Promise<void> {
    serving.sessions.close();
    await serving.close();
  }

  return openMock({ serving, origin, options: servingOptions, close });
}

/** Checked at the start, since otherwise each request would fail. */
function checkEvaluation(): void {
  try {
    // Called, so that no bundler removes it.
    new Function('')();
  } catch {
    throw new Error(
      "The mock compiles JSON Schemas to functions, which the Content-Security-Policy here forbids: add 'unsafe-eval' to its script-src",
    );
  }
}

function seedText(state: string | Seeds, index: number): RecordSource {
  return async ({ snapshots, readSettings }) => {
    const { read } = await snapshots();
    const text = typeof state === 'string' ? state : stringifyJson(state, 2);
    await loadTemplates(text);
    return read(`fixtures[${index}]`, text, readSettings);
  };
}

function isContract(document: string | object): document is Contract {
  return typeof document === 'object' && 'operations' in document && 'validators' in document;
}

/** Whether any value may come from faker, as any named member's may. */
function mayNeedFaker({ document }: Contract): boolean {
  return [...document.files.values()].some(({ value }) => hasProperties(value));
}

function hasProperties(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasProperties);
  return (
    isRecord(value) &&
    ('properties' in value || 'x-faker' in value || Object.values(value).some(hasProperties))
  );
}
