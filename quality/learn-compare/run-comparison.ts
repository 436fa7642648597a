import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../arguments.ts';
import { stopAllWhenInterrupted } from '../services/processes.ts';
import { askPrism } from './ask-prism.ts';
import { LEARNERS } from './learners.ts';
import { RECORDINGS } from './recordings.ts';
import { type Score, type Share, scoreOf } from './score.ts';

const HELP = `npm run learn-compare

Records Chromium at the console of a mock and at a real service, has paddock learn and others write a document of each
recording, and writes the table of docs/learn.md. What is needed is installed into ~/.cache/paddock-services.
`;
const CACHE = join(homedir(), '.cache', 'paddock-services');
const PAGE = fileURLToPath(new URL('../../docs/learn.md', import.meta.url));
const BEGIN = '<!-- Comparison: npm run learn-compare -->';
const END = '<!-- End of comparison -->';

readArguments(HELP, {});
stopAllWhenInterrupted();
const rows: string[] = [];
for (const [name, record] of Object.entries(RECORDINGS)) {
  const folder = await mkdtemp(join(tmpdir(), 'learn-compare-'));
  try {
    const recording = await record(folder, CACHE);
    for (const learner of LEARNERS) {
      const installed = await learner.install(CACHE);
      const began = performance.now();
      const { file, code } = await learner.learn(recording, folder, installed);
      const seconds = (performance.now() - began) / 1000;
      const row = rowOf(
        name,
        code === 0 ? learner.name : `${learner.name} (exit code ${code})`,
        await scoreOf(file, recording),
        await askPrism(file, recording),
        seconds,
      );
      process.stdout.write(`${row}\n`);
      rows.push(row);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
const page = await readFile(PAGE, 'utf8');
const [before = '', after = ''] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)].map((at, index) =>
  index === 0 ? page.slice(0, at) : page.slice(at),
);
const head = [
  '| recording | written by | paths | wrong paths | parameters | response schemas | findings of judge | not matched | Redocly | Prism | secrets | seconds |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];
await writeFile(PAGE, `${before}\n\n${[...head, ...rows].join('\n')}\n\n${after}`);

function rowOf(
  recording: string,
  learner: string,
  score: Score,
  prism: Share | undefined,
  seconds: number,
): string {
  const { paths, wrongPaths, parameters, schemas, findings, unmatched, redocly, secrets } = score;
  const cells = [
    ...[recording, learner, of(paths), wrongPaths, of(parameters), of(schemas), findings, unmatched, redocly],
    ...[prism ? of(prism) : 'does not start', secrets, seconds.toFixed(1)],
  ];
  return `| ${cells.join(' | ')} |`;
}

function of([right, all]: Share): string {
  return `${right} of ${all}`;
}
