import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LAWS, promiseOf } from '../laws/law.ts';
import { type Annotation, annotationsOf, repositoryPath } from './annotations.ts';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { reproductionOf } from './reported-finding.ts';

/** SARIF 2.1.0 (OASIS): each cause with its region of the document, each rule as a SARIF rule. */
export function renderSarif(report: Report): string {
  const userCauses = report.causes.filter(({ law }) => !Object.hasOwn(LAWS, law));
  const laws = new Map([
    ...Object.entries(LAWS),
    ...userCauses.map((userCause) => [userCause.law, plain(promiseOf(userCause))] as const),
  ]);
  const rules = [...laws].map(([id, text]) => ({ id, shortDescription: { text } }));
  const { documentInfo, startedAt, totals } = report;
  const [algorithm = '', digest = ''] = documentInfo.digest.split(':');
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'paddock', version: report.paddock, rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: report.verdict !== 'no verdict',
            exitCode: report.exitCode,
            startTimeUtc: startedAt,
            endTimeUtc: new Date(Date.parse(startedAt) + totals.ms).toISOString(),
          },
        ],
        artifacts: [
          {
            location: { uri: toUri(repositoryPath(report.document)) },
            hashes: { [algorithm.replace('sha256', 'sha-256')]: digest },
            description: { text: withoutLinks(plain(`${documentInfo.title} ${documentInfo.version}`)) },
          },
        ],
        results: annotationsOf(report).map((annotation) =>
          toResult(annotation, [...laws.keys()].indexOf(annotation.cause.law)),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toResult({ cause, path, line, column, text }: Annotation, ruleIndex: number) {
  const { key, title, law, gates, knownUntil } = cause;
  const message = `${title}: ${text}. Reproduce: ${reproductionOf(cause)}`;
  return {
    ruleId: law,
    ruleIndex,
    level: gates ? 'error' : 'note',
    message: { text: withoutLinks(plain(message)) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(path) },
          region: { startLine: line, startColumn: column },
        },
      },
    ],
    // Equal across runs, so that a cause stays one alert.
    partialFingerprints: { 'findingKey/v1': plain(key) },
    suppressions:
      knownUntil === undefined
        ? []
        : [{ kind: 'external', justification: `known until ${plain(knownUntil)} (--known)` }],
  };
}

/** §3.11.6: viewers turn `[text](target)` into a link; a target's text must not become one. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** §3.4.3: a URI reference, in which file names are percent-encoded. */
function toUri(place: string): string {
  if (/^https?:\/\//i.test(place) && URL.canParse(place)) return new URL(place).href;
  if (isAbsolute(place)) return pathToFileURL(place).href;
  return place.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
