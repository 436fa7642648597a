import { type Contract, isRecord } from '#spec';
import type { MockOptions } from '../options.ts';
import type { Snapshot } from '../records/snapshot/snapshot.ts';
import type { RuleForm } from '../sessions/preferences/read-rule.ts';

/** What needs files, sockets or databases. */
type OfNode =
  | 'allowRefs'
  | 'document'
  | 'fixtures'
  | 'host'
  | 'log'
  | 'overlays'
  | 'port'
  | 'recorded'
  | 'replica'
  | 'store'
  | 'watch';

/** Options of {@link createMock} in a browser; those of Node without files, sockets and databases. */
export interface BrowserMockOptions extends Omit<MockOptions, OfNode> {
  /**
   * An OpenAPI 3.0, 3.1 or 3.2 document or Swagger 2.0: its text in YAML or JSON, its value, or a contract of another
   * mock. It refers to no other file. Required.
   */
  readonly document: string | object | Contract;
  /** The name of the document in messages. Default: `openapi.yaml`, and `openapi.json` for a value. */
  readonly documentName?: string | undefined;
  /** Scheme, host and port of {@link Mock.url}, which paths are resolved against. Default: `http://localhost`. */
  readonly origin?: string | undefined;
  /** What the mock begins with, or texts of it in YAML or JSON. Default: seeded records, no rules. */
  readonly fixtures?: readonly (string | Seeds)[] | undefined;
}

/** The same as a seed file. */
export interface Seeds extends Partial<Snapshot> {
  readonly rules?: readonly RuleForm[];
}

interface Own {
  readonly document: string | object | Contract;
  readonly documentName: string;
  readonly origin: string;
  readonly fixtures: readonly (string | Seeds)[];
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isOrigin = (value: unknown) =>
  typeof value === 'string' &&
  /^https?:$/.test(URL.parse(value)?.protocol ?? '') &&
  URL.parse(value)?.origin === value;

/** Where a browser differs. */
const OWN: Readonly<Record<keyof Own, readonly [allowed: string, isAllowed: (value: unknown) => boolean]>> = {
  document: ['the text of a document, its value or a contract', (value) => isText(value) || isRecord(value)],
  documentName: ['a text', (value) => value === undefined || isText(value)],
  origin: ['an origin such as https://api.example', (value) => value === undefined || isOrigin(value)],
  fixtures: [
    'a list of states or of their texts',
    (value) =>
      value === undefined || (Array.isArray(value) && value.every((item) => isText(item) || isRecord(item))),
  ],
};

const OF_NODE: ReadonlySet<string> = new Set<OfNode>([
  ...(['allowRefs', 'host', 'log', 'overlays', 'port', 'recorded', 'replica', 'store', 'watch'] as const),
]);

/**
 * The options that a browser has of its own, and those that it shares with Node.
 * @throws RangeError with what is wrong with the former
 */
export function splitOptions(given: BrowserMockOptions): [own: Own, shared: Omit<MockOptions, 'document'>] {
  const all: Record<string, unknown> = { ...given };
  const { document, documentName, origin = 'http://localhost', fixtures = [], ...others } = all;
  const problems = Object.entries(OWN).flatMap(([name, [allowed, isAllowed]]) =>
    isAllowed(all[name]) ? [] : [`option ${name} must be ${allowed}`],
  );
  for (const name of Object.keys(others))
    if (OF_NODE.has(name) && others[name] !== undefined)
      problems.push(`there is no option ${name} in a browser`);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const usual = typeof document === 'string' ? 'openapi.yaml' : 'openapi.json';
  return [{ document, documentName: documentName ?? usual, origin, fixtures } as Own, others];
}
