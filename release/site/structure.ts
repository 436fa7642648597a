import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DOCS } from './places.ts';

/** A page by its path below docs/ without `.md`, with its title in the menu. */
type Entry = readonly [page: string, title: string];

interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/**
 * The sections of the menu. Generated reference pages are included, and the last section has every page that no other
 * one contains, so that all pages can be reached.
 */
export function sections(): Section[] {
  const generated = pagesBelow('reference');
  const verbs = generated.filter(([page]) => page.startsWith('reference/paddock-'));
  const rest = generated.filter((entry) => !verbs.includes(entry));
  const named = [
    ...WRITTEN.slice(0, -1),
    { title: 'Command line', entries: verbs },
    { title: 'Library and formats', entries: [...LIBRARY, ...rest] },
    ...WRITTEN.slice(-1),
  ];
  const listed = new Set(named.flatMap(({ entries }) => entries.map(([page]) => page)));
  const others = [...pagesBelow('.'), ...pagesBelow('guides')].filter(([page]) => !listed.has(page));
  return others.length > 0 ? [...named, { title: 'More', entries: others }] : named;
}

function pagesBelow(folder: string): Entry[] {
  const files = globSync(join(folder, '*.md'), { cwd: DOCS }).sort();
  return files.map((file) => {
    const [, title = file] = /^# (.*)$/m.exec(readFileSync(join(DOCS, file), 'utf8')) ?? [];
    return [file.replace(/\.md$/, '').split(sep).join('/'), title.replaceAll('`', '')];
  });
}

const LIBRARY: readonly Entry[] = [
  ['library', 'Library: the mock'],
  ['library-check', 'Library: contract tests'],
];

const WRITTEN: readonly Section[] = [
  {
    title: 'Start',
    entries: [
      ['index', 'Paddock'],
      ['guides/front-end', 'Front end: the first page with data'],
      ['guides/qa', 'QA: the first finding'],
      ['guides/ci', 'CI: the first gate'],
      ['getting-started', 'Setting up a project'],
      ['configuration', 'The configuration file'],
    ],
  },
  {
    title: 'Mock',
    entries: [
      ['mock', 'The mock'],
      ['documents', 'Documents and overlays'],
      ['meaning', 'What a document means'],
      ['operations', 'What each operation does'],
      ['accounts', 'Keys and accounts'],
      ['requests', 'Bodies, errors and streams'],
      ['answers', 'Answers, scenarios, sessions'],
      ['log', 'The log'],
      ['control-api', 'The control API'],
      ['templates', 'Templates in rules'],
      ['console', 'The console'],
      ['console-reference', 'API reference in the console'],
      ['recipes', 'Recipes'],
      ['front-end', 'Tests of a front end'],
      ['factories', 'Factories and matchers for unit tests'],
      ['browser', 'In the browser'],
      ['devtools', 'Devtools in your page'],
      ['typed-clients', 'Typed clients'],
      ['own-code', 'Operations in code'],
      ['upstream', 'In front of a real service'],
      ['record-and-play', 'Record and play'],
      ['webhooks', 'Callbacks and webhooks'],
      ['replicas', 'Stores and replicas'],
      ['https', 'HTTPS'],
    ],
  },
  {
    title: 'Contract',
    entries: [
      ['check', 'Contract tests'],
      ['safety', 'What a run changes'],
      ['values', 'Credentials, values, triggers'],
      ['asserted', 'What is asserted'],
      ['reports', 'Reports and known findings'],
      ['hooks', 'Your own code in the check'],
      ['traffic', 'What traffic shows'],
      ['judge', 'Recorded traffic'],
      ['learn', 'A document from traffic'],
      ['proxy', 'The proxy'],
      ['compat', 'Two versions of a document'],
      ['editor', 'While you edit a document'],
      ['ci', 'CI'],
      ['docker', 'Paddock in a container'],
      ['stable-interface', 'What is stable'],
    ],
  },
  {
    title: 'Comparison',
    entries: [
      ['comparison', 'Seven other tools'],
      ['performance', 'Performance'],
    ],
  },
  {
    title: 'Project',
    entries: [
      ['threats', 'Threats'],
      ['dependencies', 'Dependencies'],
      ['decisions', 'Decisions'],
      ['adding', 'Changes to Paddock'],
    ],
  },
];
