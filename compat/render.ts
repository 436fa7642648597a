import { styleText } from 'node:util';
import { LAWS, type Report } from '#contract-tests';

type Style = Parameters<typeof styleText>[0];

const SENTENCES: Readonly<Record<Report['verdict'], readonly [text: string, style: Style]>> = {
  holds: ['Clients of OLD are safe with NEW.', 'green'],
  broken: ['NEW breaks clients of OLD.', 'red'],
  incomplete: ['Incomplete: not every change could be tried.', 'yellow'],
  'no verdict': ['No verdict.', 'yellow'],
};

/** The rest of a longer list is in the JSON report. */
const SHOWN = 30;

/** A comparison for people: the verdict, each breaking change with both lines and a request, the warnings, the verdict. */
export function renderComparison(report: Report, colour: boolean): string {
  const paint = (style: Style, text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const [sentence, style] = SENTENCES[report.verdict];
  const verdict = `${paint(style, sentence)}${report.reason ? ` ${plain(report.reason)}` : ''} (exit ${report.exitCode})`;
  const changes = report.findings.slice(0, SHOWN).flatMap((finding, index) => {
    const { caseId, law, received, documented, at, curl, steps, gates } = finding;
    const [operation = ''] = caseId.split('/compat');
    const lines = steps ?? (curl === '' ? [] : [curl]);
    return [
      paint('bold', `${index + 1}. ${plain(operation)}: ${LAWS[law]}${gates ? '' : ' (does not gate)'}`),
      `   OLD  ${plain(documented)}`,
      `        ${plain(at)}`,
      `   NEW  ${plain(received)}`,
      ...lines.map((line) => `        ${plain(line)}`),
      '',
    ];
  });
  const more = report.findings.length - SHOWN;
  const warnings = report.notices.map(({ operationId, text }) => `   ${plain(operationId)}: ${plain(text)}`);
  const { totals } = report;
  return [
    verdict,
    '',
    ...changes,
    ...(more > 0 ? [`and ${more} more, in the JSON report`, ''] : []),
    ...(warnings.length > 0 ? [paint('bold', 'Warnings:'), ...warnings.slice(0, SHOWN)] : []),
    ...(warnings.length > SHOWN ? [`   and ${warnings.length - SHOWN} more, in the JSON report`] : []),
    ...(warnings.length > 0 ? [''] : []),
    `${count(report.findings.length, 'breaking change')}, ${count(warnings.length, 'warning')}; ${totals.cases} cases of OLD, ${totals.requests} requests (seed ${report.seed})`,
    verdict,
  ].join('\n');
}

/** What a terminal obeys, or what turns the direction of writing, is shown as what it is not. */
function plain(text: string): string {
  return text.replace(/\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
