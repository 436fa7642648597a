import { cell, code, heading } from '../reference/markdown.ts';
import { type Cell, commandIn, type DocumentedRow } from './documented.ts';
import { FAULTY, RIGHT } from './faulty-services.ts';
import type { Measured } from './measure.ts';
import { MOCK_PROBES, SAME_AFTER_RESTART } from './mock-probes.ts';
import { VERSIONS } from './programs.ts';

const TOOLS = ['Paddock', 'Prism', 'Mockoon', 'MSW', 'WireMock', 'Dredd', 'Schemathesis', 'Specmatic'];

/** docs/comparison.md. */
export function renderComparison({ mocks, checks }: Measured, documented: readonly DocumentedRow[]): string {
  const notes: string[] = [];
  const features = documented.map(({ title, cells }) => {
    const shown = TOOLS.map((tool) => documentedCell(cells[tool], title, tool, notes));
    return `| ${title} | ${shown.join(' | ')} |`;
  });
  return `${[
    heading(1, 'Paddock beside seven other tools'),
    INTRODUCTION,
    heading(2, 'As mocks of one document'),
    MOCKS,
    measuredTable('promise', mocks, [...MOCK_PROBES, SAME_AFTER_RESTART], (holds) => (holds ? 'yes' : 'no')),
    'What is sent for each row:',
    [...MOCK_PROBES, SAME_AFTER_RESTART].map(({ title, how }) => `- _${title}_: ${how}`).join('\n'),
    heading(2, 'As judges of a service'),
    CHECKS,
    measuredTable('service', checks, [RIGHT, ...FAULTY], (complains) => (complains ? 'complains' : 'silent')),
    JUDGES_NOTE,
    heading(2, 'What else they have'),
    FEATURES,
    [`| feature | ${TOOLS.join(' | ')} |`, `| --- |${' --- |'.repeat(TOOLS.length)}`, ...features].join('\n'),
    heading(3, 'Evidence'),
    notes.map((note, index) => `${index + 1}. ${note}`).join('\n'),
    heading(2, 'Measure it again'),
    REPEAT,
  ].join('\n\n')}\n`;
}

const INTRODUCTION = `Which tool fits depends on what you need. Paddock is the wrong one where a mock needs HTTPS, templates or a protocol
beside HTTP, or a check needs hooks of yours; and it is young. Mockoon has a desktop application for people who do not write
documents; WireMock can stub anything, in Java or beside it; MSW intercepts requests where the code under test sends them;
Schemathesis generates more inputs and learns from what comes back; Specmatic speaks many protocols.

The first two tables are measured on the shipped document by \`npm run comparison\`, which writes this page; a test measures
again what is installed in a clone. Each cell of the third one has its evidence.`;

const MOCKS = `Each tool was given the document (\`spec/openapi.yaml\`) and nothing else. MSW and WireMock read no document: what they answer
is written by hand, and may be all of this. Dredd and Schemathesis make no mock.`;

const CHECKS = `Each tool checked a service that keeps the document, and then services with one fault each (\`release/site/comparison/faulty-services.ts\`),
with its defaults, a key and a base URL. Dredd runs with the hooks of this repository (\`npm run dredd\`), without which it asks
for no error. A tool complains when its exit code is not 0.`;

const JUDGES_NOTE = `Specmatic is also told two ids that exist (\`release/site/comparison/specmatic.overlay.yaml\`): where a document has no example of one, it
makes one up and expects a record there. Its generative tests, which send invalid values, are off unless they are configured.
Schemathesis sees that \`limit\` and \`status\` are ignored by the invalid values that are then accepted. The services are
ours, and so is the choice of faults: [hunt.md](hunt.md) has many more, by which Paddock is measured, and
[judges.md](judges.md) what Prism and Dredd see of those.`;

const FEATURES = `An empty cell: the tool has nothing to do with it, or nobody has looked it up.`;

const REPEAT = `\`\`\`sh
npm install --prefix TOOLS --ignore-scripts ${['@mockoon/cli', 'specmatic', 'wiremock'].map((name) => `${name}@${VERSIONS[name]}`).join(' ')}
python3 -m venv TOOLS/python
TOOLS/python/bin/pip install schemathesis==${VERSIONS.schemathesis}
npm run comparison -- TOOLS
\`\`\`

Specmatic and WireMock need Java 17. Prism and Dredd have the versions of \`package-lock.json\`. In the commands above
\`specmatic\` and \`wiremock\` stand for \`java -jar\` with the file that the packages install.`;

interface MeasuredRow {
  readonly id: string;
  readonly title: string;
}

function measuredTable(
  what: string,
  answers: Measured['mocks'],
  rows: readonly MeasuredRow[],
  name: (answer: boolean) => string,
): string {
  const tools = TOOLS.filter((tool) => tool in answers);
  return [
    `| ${what} | ${tools.join(' | ')} |`,
    `| --- |${' --- |'.repeat(tools.length)}`,
    ...rows.map(({ id, title }) => {
      const cells = tools.map((tool) => {
        const answer = answers[tool]?.[id];
        return answer === undefined ? '' : name(answer);
      });
      return `| ${cell(title)} | ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

/** The answer with the number of its evidence; in Markdown an anchor for each would be HTML. */
function documentedCell(given: Cell | undefined, title: string, tool: string, notes: string[]): string {
  if (!given) return '';
  const [answer, evidence, note] = given;
  notes.push(`${tool}, _${title}_: ${evidenceText(evidence)}${note === undefined ? '' : `; ${note}`}`);
  return `${answer} (${notes.length})`;
}

function evidenceText(evidence: string): string {
  const command = commandIn(evidence);
  if (command)
    return `${code(command.words.join(' '))} ${command.isThere ? 'shows' : 'has no'} ${code(command.text)}`;
  if (evidence === 'measured') return 'the first table';
  return evidence.endsWith('.md') ? `[${evidence}](${evidence})` : `<${evidence}>`;
}
