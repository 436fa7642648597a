import { markdownTable } from '../corpus/markdown-table.ts';
import { judge, readJudged, type Verdict } from './judged.ts';
import { EXAMPLES, LIMIT_S, SCHEMATHESIS } from './schemathesis.ts';
import type { Root, Trial } from './try-service.ts';

/** The roots of a trial by the verdict of a person; `undefined`: nobody has judged them. */
export function judgedRoots({ name, check, proxy }: Trial) {
  const roots = [...(check?.roots ?? []), ...(proxy?.roots ?? [])];
  const { verdicts, lost } = judge(
    roots.map(({ key }) => key),
    readJudged(name),
  );
  const of = (verdict: Verdict | undefined, among: readonly Root[] = roots) =>
    among.filter(({ key }) => verdicts.get(key) === verdict);
  return { of, lost };
}

/** docs/services.md. */
export function renderServices(trials: readonly Trial[]): string {
  const tried = trials.filter(({ check }) => check !== undefined);
  const roots = (trial: Trial) => trial.check?.roots ?? [];
  const sum = (count: (trial: Trial) => number) => tried.reduce((total, trial) => total + count(trial), 0);
  const all = sum((trial) => roots(trial).length);
  const count = (trial: Trial, verdict: Verdict | undefined) =>
    judgedRoots(trial).of(verdict, roots(trial)).length;
  const total = (verdict: Verdict | undefined) => sum((trial) => count(trial, verdict));
  const failed = trials.filter(({ failure }) => failure !== undefined);
  return `${[
    '# Services of others',
    '`npm run services -- NAME...` installs services that others wrote, at pinned versions, from their registries into a folder outside of the clone, starts each on loopback with data of others in it, and holds it to its own document: `paddock check` with its default options, and `paddock proxy` in front of it while a plain client fills and reads it. It wrote this page.',
    `**${tried.length} services, ${all} roots: ${total('true')} true, ${total('false')} false, ${total('debatable')} debatable${total(undefined) > 0 ? `, ${total(undefined)} not judged` : ''}; lines of the data of others removed or changed: ${sum((trial) => trial.check?.changed.length ?? 0)}.**`,
    'A root is a broken promise, however many findings show it. A person has judged each by the document and the source of the service (`quality/services/judged/`): true, false, or debatable where two readers of the document may differ.',
    markdownTable(
      CHECK_HEAD,
      tried.map((trial) => checkRow(trial, (verdict) => count(trial, verdict))),
    ),
    ...(failed.length > 0
      ? ['Not tried:', failed.map(({ name, failure }) => `- ${name}: ${failure?.split('\n')[0]}`).join('\n')]
      : []),
    '## Through the proxy',
    'What a plain client shows in passing, which sends only valid requests, and few.',
    markdownTable(['Service', 'Exchanges', 'Roots', 'True', 'False', 'Debatable'], tried.map(proxyRow)),
    '## Beside Schemathesis',
    `Schemathesis ${SCHEMATHESIS} ran on a throw-away copy of the same service with the same data and credential: its default checks, ${EXAMPLES} generated cases an operation, at most ${LIMIT_S} s. Nobody has judged its failures, and it groups them in another way: one an operation and kind. It promises nothing about the data of others; the check does.`,
    markdownTable(COMPARED_HEAD, tried.flatMap(comparedRow)),
  ].join('\n\n')}\n`;
}

const CHECK_HEAD = [
  'Service',
  'Version',
  'Stack',
  'Operations',
  'Withheld',
  'Roots',
  'True',
  'False',
  'Debatable',
  'Findings',
  'Requests',
  'Seconds',
  'Others’ data changed',
];

function checkRow(trial: Trial, count: (verdict: Verdict) => number): string[] {
  const { name, version, stack, check } = trial;
  if (check === undefined) return [];
  const { operations, withheld, roots, findings, requests, seconds, changed } = check;
  const verdicts = [count('true'), count('false'), count('debatable')];
  return [
    ...[name, version, stack],
    ...[operations, withheld, roots.length, ...verdicts, findings, requests].map(String),
    ...[seconds.toFixed(0), lines(changed.length)],
  ];
}

function proxyRow(trial: Trial): string[] {
  const roots = trial.proxy?.roots ?? [];
  const { of } = judgedRoots(trial);
  const counts = (['true', 'false', 'debatable'] as const).map((verdict) => of(verdict, roots).length);
  return [trial.name, ...[trial.proxy?.requests ?? 0, roots.length, ...counts].map(String)];
}

const COMPARED_HEAD = [
  'Service',
  'Paddock: roots',
  'Seconds',
  'Others’ data changed',
  'Schemathesis: failures',
  'Seconds',
  'Others’ data changed',
];

function comparedRow({ name, check, schemathesis }: Trial): string[][] {
  if (check === undefined || schemathesis === undefined) return [];
  const { failures, seconds, isLate, changed } = schemathesis;
  return [
    [
      ...[name, String(check.roots.length), check.seconds.toFixed(0), lines(check.changed.length)],
      failures === undefined ? 'no report' : String(failures),
      isLate ? `${seconds.toFixed(0)}, ended by the limit` : seconds.toFixed(0),
      changed === undefined ? 'it no longer answers' : lines(changed),
    ],
  ];
}

const lines = (count: number) => (count === 0 ? 'no' : `${count} ${count === 1 ? 'line' : 'lines'}`);
