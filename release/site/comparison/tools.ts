import { join } from 'node:path';
import { ROOT } from '../places.ts';

/** A program, its arguments, and variables beside those of this process. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A tool that makes a mock of an OpenAPI document. */
export interface MockTool {
  readonly name: string;
  readonly start: (port: string) => CommandLine;
  /** What precedes the paths of the document. */
  readonly basePath: string;
  /** The header with which it is asked for a documented 404; undefined: it has none. */
  readonly forcing?: Readonly<Record<string, string>>;
}

/** A tool that checks a service against an OpenAPI document; it ends with 0 where it finds nothing. */
export interface CheckTool {
  readonly name: string;
  readonly check: (url: string) => CommandLine;
}

/** The shipped document, and a key that Paddock's mock accepts. */
export const DOCUMENT = join(ROOT, 'spec/openapi.yaml');
const KEY = 'paddock-dev-key';
export const AUTHORIZATION = `Bearer ${KEY}`;

const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
const PADDOCK = [process.execPath, join(ROOT, 'cli/paddock.js')];

/** Those that are development dependencies. */
export const MOCKS_IN_CLONE: readonly MockTool[] = [
  {
    name: 'Paddock',
    start: (port) => ({ args: [...PADDOCK, 'mock', DOCUMENT, '--port', port] }),
    basePath: '/v1',
    forcing: { Prefer: 'code=404' },
  },
  {
    name: 'Prism',
    start: (port) => ({ args: [bin('prism'), 'mock', DOCUMENT, '--port', port] }),
    basePath: '',
    forcing: { Prefer: 'code=404' },
  },
];

export const CHECKS_IN_CLONE: readonly CheckTool[] = [
  {
    name: 'Paddock',
    check: (url) => ({ args: [...PADDOCK, 'check', url, DOCUMENT], env: { PADDOCK_API_KEY: KEY } }),
  },
  {
    name: 'Dredd',
    check: (url) => ({
      args: [bin('dredd'), '--config', 'contract-tests/opinions/dredd.yml'],
      env: { PADDOCK_BASE_URL: url },
    }),
  },
];

/** Those in a folder into which the commands on the page have installed them. */
export function mocksIn(folder: string): MockTool[] {
  const modules = join(folder, 'node_modules');
  return [
    {
      name: 'Mockoon',
      start: (port) => ({
        args: [
          process.execPath,
          join(modules, '.bin/mockoon-cli'),
          'start',
          ...['--data', DOCUMENT, '--port', port, '--faker-seed', '1', '--disable-log-to-file'],
        ],
      }),
      basePath: '/v1',
    },
    {
      name: 'Specmatic',
      start: (port) => ({
        args: ['java', '-jar', join(modules, 'specmatic/specmatic.jar'), 'stub', DOCUMENT, '--port', port],
      }),
      basePath: '',
      forcing: { 'Specmatic-Response-Code': '404' },
    },
  ];
}

const EXAMPLES = join(ROOT, 'release/site/comparison/specmatic.overlay.yaml');

export function checksIn(folder: string): CheckTool[] {
  return [
    {
      name: 'Schemathesis',
      check: (url) => ({
        args: [
          join(folder, 'python/bin/schemathesis'),
          'run',
          ...[DOCUMENT, '--url', url, '--header', `Authorization: ${AUTHORIZATION}`, '--seed', '1'],
        ],
      }),
    },
    {
      name: 'Specmatic',
      check: (url) => ({
        args: [
          'java',
          '-jar',
          join(folder, 'node_modules/specmatic/specmatic.jar'),
          ...['test', DOCUMENT, `--overlay-file=${EXAMPLES}`, `--testBaseURL=${url}`],
        ],
        // The name of the security scheme.
        env: { bearer: KEY },
      }),
    },
  ];
}
