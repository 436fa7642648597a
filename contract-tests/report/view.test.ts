import { expect, test } from 'vitest';
import { asHtml, asMarkdown, textOf } from '../testing/build-of.ts';
import { reportOn } from '../testing/report-on.ts';
import { renderIssue } from './markdown.ts';
import { renderTerminal } from './terminal.ts';
import { renderJunit } from './test-results.ts';
import { viewOf } from './view.ts';

test('every format for people shows the same facts of each cause', async () => {
  const report = await reportOn(
    { matches: () => true, page: (records) => records },
    { only: 'listPets/200/' },
  );
  const views = viewOf(report).groups.flatMap(({ causes }) => causes);
  expect(views.map(({ cause }) => cause)).toEqual(report.causes);
  const shown = {
    terminal: renderTerminal(report, false),
    markdown: textOf(asMarkdown(report)),
    html: textOf(asHtml(report)),
  };
  const facts = views.flatMap((one) => one.facts).filter(({ isDetail }) => !isDetail);
  expect(new Set(facts.map(({ label }) => label))).toEqual(
    new Set(['received', 'documented', 'reproduce', 'tried']),
  );
  for (const [format, text] of Object.entries(shown))
    for (const { text: said, lines = [] } of facts)
      for (const line of [said, ...lines]) expect(text, format).toContain(line.slice(0, 100));
  for (const { cause } of views) expect(renderJunit(report)).toContain(`root: ${cause.title}`);
});

test('a cause names its owner, and is copied as an issue with what there is to know', async () => {
  const report = await reportOn({ page: (records) => records }, { only: 'listPets/200/' });
  const [view] = viewOf(report).groups.flatMap(({ causes }) => causes);
  expect(view?.cause.owner).toBe('animals');
  const issue = view ? renderIssue(view, report) : '';
  expect(issue).toMatch(/^# .*\n\nOn `.*`\.\n\n- received /);
  expect(issue).toContain('- owner animals');
  expect(issue).toContain(view?.cause.curl);
  expect(textOf(asHtml(report))).toContain('Copy as issue');
});
