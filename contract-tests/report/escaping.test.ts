import { describe, expect, test } from 'vitest';
import { asHtml, asMarkdown, BUILD_OF, textOf } from '../testing/build-of.ts';
import { NASTY, reportSaying } from '../testing/report-saying.ts';
import { renderGithub, withoutCommands } from './annotations.ts';
import { renderTerminal } from './terminal.ts';

/** Whatever texts a report holds, its structure (elements, members, lines) is that of a report with a plain word. */
const plainly = await reportSaying('word');
const cases = Object.entries(NASTY);

describe.each(cases)('%s', (_, text) => {
  const report = reportSaying(text);

  test.each(Object.entries(BUILD_OF))('%s', async (_, buildOf) => {
    expect(await buildOf(await report)).toEqual(await buildOf(plainly));
  });

  test('the terminal', async () => {
    const output = renderTerminal(await report, false);
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(output.split('\n').length).toBe(renderTerminal(plainly, false).split('\n').length);
  });

  test('workflow commands', async () => {
    const [verdict, ...lines] = renderGithub(await report).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
    expect(verdict).toMatch(
      /^::error title=Paddock::The contract is broken; 1 operation withheld\..* \(exit 1\)$/,
    );
    expect(
      lines.map((line) => /^::[a-z-]+ file=[^,]*,line=3,col=1,title=[^:,]*::/.exec(line)?.[0] ?? line),
    ).toEqual([expect.stringMatching(/^::error /), expect.stringMatching(/^::notice /), '']);
  });
});

test('a report contains no workflow command that GitHub executes', async () => {
  const report = await reportSaying('##[error]x ::warning::y');
  const log = (text: string) => executed(renderTerminal({ ...report, reason: text }, false));
  expect(log('##[error]x')).not.toEqual([]);
  expect(executed(withoutCommands(renderTerminal(report, false)))).toEqual([]);
});

/** What GitHub's runner executes: `::` at the beginning of a line, and `##[` anywhere in it. */
function executed(log: string): string[] {
  let stopped: string | undefined;
  return log.split('\n').filter((line) => {
    const [, name, value] = /^\s*::([\w-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
      return false;
    }
    if (name === 'stop-commands') stopped = value;
    return name !== 'stop-commands' && (name !== undefined || line.includes('##['));
  });
}

test('escaped text can still be read', async () => {
  const report = await reportSaying('<b> & "quotes" `ticks` *stars*');
  expect(textOf(asHtml(report))).toContain('<b> & "quotes" `ticks` *stars*');
  expect(textOf(asMarkdown(report))).toContain('<b> & "quotes" `ticks` *stars*');
  expect(renderTerminal(report, false)).toContain('<b> & "quotes" `ticks` *stars*');
});
