import { styleText } from 'node:util';
import { LAWS, type Report } from '#contract-tests';
import { plain } from '#report-parts';
import { SAME } from './compat-report.ts';

type Style = Parameters<typeof styleText>[0];

const SENTENCES: Readonly<Record<Report['verdict'], readonly [text: string, style: Style]>> = {
  holds: ['Clients of OLD are safe with NEW.', 'green'],
  broken: ['NEW breaks clients of OLD.', 'red'],
  incomplete: ['Incomplete: not every change could be tried.', 'yellow'],
  'no verdict': ['No verdict.', 'yellow'],
  planned: ['Planned: nothing was compared.', 'yellow'],
};

/** The rest of a longer list is in the JSON report. */
const SHOWN = 30;

/** A comparison for people: the verdict, each breaking change with both lines and a request, the warnings, the verdict. */
export function renderComparison(report: Report, colour: boolean): string {
  const paint = (style: Style, text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const [sentence, style] = SENTENCES[report.verdict];
  const { reason = '' } = report;
  const because = reason === '' ? '' : ` ${plain(reason.charAt(0).toUpperCase() + reason.slice(1))}`;
  const verdict = `${paint(style, sentence)}${because} (exit ${report.exitCode})`;
  const named = new Set(report.changes?.map(({ key }) => key));
  const changes = report.causes.slice(0, SHOWN).flatMap((cause, index) => {
    const { key, law, title, received, documented, at, curl, steps, gates, knownUntil, cases } = cause;
    const [shown, ...others] = operationsOf(cases, report.findings[cause.finding]?.caseId ?? '');
    const lines = steps ?? (curl === '' ? [] : [curl]);
    const note = knownUntil ? ` (known until ${knownUntil})` : gates ? '' : ' (does not gate)';
    return [
      paint(
        'bold',
        `${index + 1}. ${named.has(key) ? plain(title) : `${plain(shown ?? '')}: ${LAWS[law]}`}${note}`,
      ),
      `   OLD  ${plain(documented)}`,
      `        ${plain(at)}`,
      `   NEW  ${plain(received)}`,
      ...lines.map((line) => `        ${plain(line)}`),
      ...(report.findings[cause.finding]?.consumers ?? []).map(
        ({ consumer, touched, why }) =>
          `   ${touched === 'yes' ? 'touches' : 'may touch'} ${plain(consumer)}: ${plain(why)}`,
      ),
      ...(others.length > 0 ? [`   also ${plain(listed(others))}`] : []),
      '',
    ];
  });
  const more = report.causes.length - SHOWN;
  // What a change is about names its operations.
  const subjects = (report.changes ?? [])
    .filter((one) => one.class === 'warning')
    .map(({ subject }) => subject);
  const warnings = report.notices.map(({ operationId, text }) => {
    const isNamed = subjects.some((subject) => text.startsWith(`${subject}: `));
    return `   ${isNamed ? '' : `${plain(operationId)}: `}${plain(text)}`;
  });
  const { totals } = report;
  const same = new Set(
    report.cells.flatMap(({ operationId, reason }) => (reason === SAME ? [operationId] : [])),
  );
  return [
    verdict,
    '',
    ...changes,
    ...(more > 0 ? [`and ${more} more, in the JSON report`, ''] : []),
    ...(warnings.length > 0 ? [paint('bold', 'Warnings:'), ...warnings.slice(0, SHOWN)] : []),
    ...(warnings.length > SHOWN ? [`   and ${warnings.length - SHOWN} more, in the JSON report`] : []),
    ...(warnings.length > 0 ? [''] : []),
    ...versionLine(report),
    `${count(report.causes.length, 'breaking change')}, ${count(warnings.length, 'warning')}; ${same.size > 0 ? `${count(same.size, 'operation')} not tried, the same in both; ` : ''}${report.cases.filter(({ id }) => !id.endsWith('/compat')).length} cases of OLD, ${totals.requests} requests (seed ${report.seed})`,
    verdict,
  ].join('\n');
}

/** Which semantic version follows. */
function versionLine({ semanticVersion }: Report): string[] {
  if (!semanticVersion) return [];
  const { follows, old, new: next, expected, isEnough } = semanticVersion;
  if (follows === 'none') return [];
  const steps = expected === undefined ? '' : `: ${plain(old)} -> ${expected}`;
  const lacks = isEnough === false ? `, and NEW is ${plain(next)}` : '';
  return [`Semantic version: ${follows}${steps}${lacks}`];
}

/** The operations and statuses that a cause concerns, the one that is shown first. */
function operationsOf(cases: readonly string[], shown: string): string[] {
  return [...new Set([shown, ...cases].map((caseId) => caseId.replace(/\/compat$/, '')))];
}

/** Of a schema that many operations share. */
const MOST_NAMED = 8;

function listed(operations: readonly string[]): string {
  const more = operations.length - MOST_NAMED;
  return `${operations.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
