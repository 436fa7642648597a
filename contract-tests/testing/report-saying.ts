import { fileURLToPath } from 'node:url';
import { loadContract } from '#spec';
import { LAWS } from '../laws/law.ts';
import { groupByCause } from '../report/cause.ts';
import type { Report } from '../report/report.ts';
import type { ReportedFinding } from '../report/reported-finding.ts';
import { curlOf } from '../send/curl.ts';

/** Texts that some reader would interpret: a shell, a terminal, a browser, Markdown, XML, a CI log. */
export const NASTY: Readonly<Record<string, string>> = {
  'a script': '<script>document.title = "run"</script>',
  'an event handler': '"><img src=x onerror="document.title = 1"><svg/onload=alert(1)>',
  'an attribute that breaks out': `' autofocus onfocus='document.title = 1' x="`,
  'ends of comments and sections':
    '--> ]]> </pre></code></details></article></table> <!-- <![CDATA[ &lt;b&gt; &#60;',
  'terminal colours and titles': 'a\u001b[31mred\u001b]0;title\u0007\u009b2J\u001b[1A\rover',
  'workflow commands':
    'a\n::error file=x::y\r\n::set-output name=a::b\n##[error]c\n::stop-commands::t\n%0A::warning::w',
  'a fence of Markdown': '```\n# heading\n```\n~~~ `tick` ``two``` end',
  'Markdown links and images':
    '[link](javascript:alert(1)) ![image](http://h.example/x.png) <http://h.example> [a]: http://b',
  'Markdown blocks':
    '# heading\n- item\n1. item\n> quote\n| a | b |\n| - | - |\n***\n- [ ] task\n===\n    code',
  'Markdown inline': '*em* __strong__ ~~gone~~ \\` trailing\\ a[^1] &copy; <details><summary>s</summary>',
  'links without marks':
    'http://h.example/a www.h.example mailto:a@h.example a@h.example @someone #1 GH-1 :cat:',
  'unseen characters': 'a\u202eb\u2066c\u200bd\ufeffe\u2028f\u0000g\u0085h\ufffe\uffff\ud800i\u00adj',
  'a shell': `$(touch /tmp/x) \`id\` '; exit 3 # " \\ !! $HOME \${HOME} && |`,
  'format strings': `{0} %s %25 {{a}} \${{ secrets.KEY }} {% a %} %0D%0A`,
  'spaces around it': ' a ',
};

const AT = '2030-01-02T03:04:05.678Z';

/** A report with this text in each place that a target, a document or a user controls. */
export async function reportSaying(text: string): Promise<Report> {
  const contract = await loadContract(fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url)));
  const [operation] = contract.operations;
  if (!operation) throw new Error('the document has operations');
  const note = { caseId: 'list/200/a', operationId: text, text };
  const url = new URL('http://127.0.0.1:1/v1');
  url.searchParams.set('q', text);
  const line = text.replace(/[\r\n]/g, '');
  const header = text.replace(/[^\t\x20-\x7e]/g, '');
  const headers = [['X-Text', header]] as const;
  const curl = curlOf({ method: 'POST', url, headers, body: Buffer.from(text), chunked: false });
  const cell = { operationId: text, status: 200, gates: true, reason: text, cases: ['list/200/a'] };
  const part = { seen: 1, total: 2, missing: [text] };
  const laws = Object.keys(LAWS) as (keyof typeof LAWS)[];
  const findings = laws.slice(0, 2).map(
    (law, index): ReportedFinding => ({
      key: `${law}#${text}`,
      root: `${law}#${text}`,
      caseId: 'list/200/a',
      operationId: text,
      law,
      received: text,
      documented: text,
      at: `${text}:3`,
      pointer: text,
      curl,
      steps: undefined,
      gates: index === 0,
      knownUntil: index === 0 ? undefined : '2031-01-31',
      place: { uri: text, line: 3, column: 1 },
      source: [{ line: 3, text }],
      part: '/name',
      // A header has no line ends, and a body may be anything.
      request: `POST ${url.href}\nx-text: ${line}\n\n${text}`,
      response: `HTTP 200\nx-text: ${line}\n\n${index === 0 ? text : JSON.stringify({ name: text })}`,
    }),
  );
  const exchange = { caseId: text, startedAt: AT, ms: 1.5 };
  const request = {
    method: 'GET',
    url: url.href,
    headers: [['X-Text', text]],
    body: text,
    bodySize: 1,
  } as const;
  return {
    verdict: 'broken',
    exitCode: 1,
    reason: text,
    target: url.origin,
    seed: 1,
    paddock: '1.2.3',
    startedAt: AT,
    document: text,
    documentInfo: { title: text, version: text, digest: 'sha256:0123' },
    operations: [{ operationId: text, verdict: 'not reached', gates: true, reason: text }],
    cells: (['covered', 'violated', 'not reached', 'skipped'] as const).map((verdict) => ({
      ...cell,
      verdict,
      ran: 1,
      of: 2,
    })),
    findings,
    causes: groupByCause(findings),
    notSpecified: [note, ...[1, 2].map(() => ({ ...note, question: text, answer: text }))],
    notices: [note],
    created: [{ operationId: text, caseId: 'list/200/a', mark: text, id: text, certain: true }],
    cases: (['passed', 'failed', 'not reached', 'skipped'] as const).map((outcome) => ({
      id: outcome === 'failed' ? 'list/200/a' : `list/200/${outcome}`,
      title: text,
      operationId: text,
      status: 200,
      outcome,
      reason: text,
      ms: 1,
    })),
    withheld: [{ operationId: text, method: text, path: text, reason: text }],
    excluded: [{ operationId: text, method: text, path: text, reason: text }],
    coverage: {
      operations: part,
      statuses: part,
      parameters: part,
      enumValues: part,
      responseProperties: part,
    },
    latency: [{ operationId: text, requests: 2, p50: 1, p95: 2.5, max: 2.5 }],
    totals: {
      cases: 4,
      passed: 1,
      failed: 1,
      skipped: 1,
      withheld: 0,
      notReached: 1,
      requests: 4,
      ms: 4,
      operations: 1,
      operationsCovered: 0,
      responses: 4,
      responsesCovered: 1,
    },
    exchanges: {
      entries: [
        {
          ...exchange,
          request,
          response: { status: 200, statusText: text, headers: [[text, text]], body: text, bodySize: 1 },
        },
        { ...exchange, request, response: { error: text } },
      ],
      dropped: 1,
    },
  };
}
