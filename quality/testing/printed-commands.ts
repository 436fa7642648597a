import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.ts';

/** What a reader of a page does, in order. */
export type Step =
  | { readonly file: string; readonly text: string }
  | { readonly command: string; readonly shown: string };

interface Block {
  /**
   * Where a test runs the commands: in the clone, if they need its tools and fixtures, or in an empty folder beside a
   * clone with a built tarball. Files are written there, too.
   */
  readonly place: 'clone' | 'project' | 'not run' | 'file';
  /** The first command, or the name of the file. */
  readonly first: string;
  readonly steps: readonly Step[];
}

/** README.md and docs/, relative to the clone; without docs/reference, which is generated. */
export const PAGES = globSync(['README.md', 'docs/**/*.md'], {
  cwd: ROOT,
  exclude: ['docs/reference/**'],
}).sort();

const ELSEWHERE = 'needs a service that is not on this machine';
const OF_DEVELOPERS = 'runs tests of the project itself, for minutes';
const MEASURES = 'measures for minutes; quality/lab.nightly.test.ts measures less';

/** The blocks that no test runs as printed, by their first command, with reasons. */
export const NOT_RUN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'npm ci':
      'downloads all tools of the clone: CI begins with it, and cli/readme.long.test.ts runs what follows',
    'npm run build': 'is how the tests of what is printed get their tarball',
  },
  'docs/adding.md': {
    'npm run test:unit -- spec': OF_DEVELOPERS,
    'npm run test:unit -- contract-tests/laws traffic/observe/traffic-laws.test.ts': OF_DEVELOPERS,
    'npm run test:unit -- contract-tests/report contract-tests/entry-point.test.ts': OF_DEVELOPERS,
    'npm run generate': OF_DEVELOPERS,
  },
  'docs/compat.md': {
    "curl -i 'http://127.0.0.1:4020/books?limit=52' -H 'Accept: */*'": 'is a part of the report above it',
  },
  'docs/docker.md': {
    'docker build --tag paddock .':
      'needs Docker; release/delivery/image.long.test.ts builds and runs the image in another way',
    'cd examples/docker':
      'needs Docker; release/delivery/image.long.test.ts runs the services of compose.yaml in another way',
  },
  'docs/front-end.md': {
    'npx playwright test':
      'needs Playwright Test; release/packaging/package.long.test.ts runs the files above it, in two workers',
  },
  'docs/learn.md': {
    'npx openapi-paddock proxy http://127.0.0.1:8080/api --learn openapi.yaml':
      'runs until it is stopped, before a service of yours; cli/learn.long.test.ts runs both before a mock',
  },
  'docs/getting-started.md': {
    'source <(npx openapi-paddock completion bash)   # in ~/.bashrc':
      'is for three shells, one each; cli/completion.long.test.ts reads the scripts in all of them',
  },
  'docs/hooks.md': {
    'npx openapi-paddock check http://127.0.0.1:8888/v1 http://127.0.0.1:8888/v1/__api__ --config kinto.config.mjs':
      'needs Kinto, for which quality/services/login-by-hook.nightly.test.ts runs the file above it',
  },
  'docs/performance.md': {
    'npm run lab -- bench servers                            # the mock, a bare node:http and Prism, in turn':
      MEASURES,
  },
  'docs/proxy.md': {
    'npx openapi-paddock proxy https://staging.example/v1 openapi.yaml --report har=traffic.har':
      'needs a service that is not on this machine; cli/proxy.long.test.ts records, judges, serves and learns',
  },
  'docs/replicas.md': {
    "export PADDOCK_STORE='postgres://paddock:secret@db.internal:5432/mocks'":
      'needs three machines and a database; mock/store/postgres/replicas.long.test.ts runs replicas on one machine',
  },
  'docs/reports.md': {
    'paddock check http://127.0.0.1:4020/v1 openapi.yaml --shard 2/5 --report json=shard-2.json   # 1/5 to 5/5, side by side':
      'is of five machines; contract-tests/report/merge-reports.test.ts runs and merges three shards',
  },
  'docs/safety.md': {
    'npx openapi-paddock check https://staging.example/v1 openapi.yaml --allow-writes --plan': ELSEWHERE,
  },
  'docs/traffic.md': {
    'npx openapi-paddock proxy http://127.0.0.1:4020/v1 openapi.yaml --report har=traffic.har --mask email --mask /owner/address':
      'waits for traffic; cli/proxy.long.test.ts records with --mask',
  },
  'docs/values.md': {
    'export PADDOCK_CREDENTIAL_BASICAUTH=ann:secret': ELSEWHERE,
  },
};

/** A first line that names the file of a block. */
const NAMED = /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?\n/;

/** The blocks of a page with commands (in any language) or named files. */
export function blocksOf(page: string): Block[] {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```([\w-]*)\n(.*?)^```/gms);
  return [...blocks].flatMap(([, language = '', text = '']): Block[] => {
    const hasPrompts = language === 'console' || /^\$ /m.test(text);
    if (!hasPrompts && !['sh', 'bash', 'shell', 'zsh'].includes(language)) {
      const [line = '', file] = NAMED.exec(text) ?? [];
      if (file === undefined) return [];
      return [{ place: 'file', first: file, steps: [{ file, text: text.slice(line.length) }] }];
    }
    const steps = hasPrompts ? sessionOf(text) : linesOf(text);
    const [{ command: first } = { command: '' }] = steps;
    const isNotRun = Object.hasOwn(NOT_RUN[page] ?? {}, first);
    const isOfProject =
      page.startsWith('docs/guides/') || steps.some(({ command }) => /\bnpx |^npm install /.test(command));
    return [{ place: isNotRun ? 'not run' : isOfProject ? 'project' : 'clone', first, steps }];
  });
}

/** Each `$ command` with the output that the page shows for it. */
function sessionOf(block: string) {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n');
      return { command, shown: lines.join('\n') };
    });
}

function linesOf(block: string) {
  return block
    .trimEnd()
    .split('\n')
    .map((command) => ({ command, shown: '' }));
}

/** A pattern for the output on the page; a line `...` stands for any lines. */
export function shownAs(output: string): RegExp {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    output
      .split(/^\.\.\.$/m)
      .map((text) => literal(text.replace(/^\n|\n$/g, '')))
      .join('[\\s\\S]*'),
  );
}

/** The exit code on the page; 0 if it shows none. */
export function exitCodeIn(output: string): number {
  return Number(/\(exit (\d+)\)$/.exec(output)?.[1] ?? 0);
}
