import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { NASTY, reportSaying } from '../testing/report-saying.ts';
import { renderGithub, withoutCommands } from './github.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { Report } from './report.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';

/**
 * Whatever is said in a report, its build stays the same: the elements, members and lines that it has where a
 * plain word is said. Each format is read back by a parser of somebody else.
 */
const plainly = await reportSaying('word');
const cases = Object.entries(NASTY);

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements and the names of their attributes, without any text. */
function build(nodes: readonly Node[]): unknown[] {
  return nodes.flatMap((node): unknown[] => {
    if (node.nodeName === '#comment') return ['comment'];
    if (!('tagName' in node)) return [];
    return [[node.tagName, ...node.attrs.map(({ name }) => name), build(node.childNodes)]];
  });
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'childNodes' in node ? textOf(node.childNodes) : ''))
    .join('');
}

/** The members of a JSON value, their texts left out. */
function members(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(members);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, members(member)]));
}

const asHtml = (report: Report) => parse(renderHtml(report)).childNodes;

function asMarkdown(report: Report): Node[] {
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
  return parseFragment(micromark(renderMarkdown(report), options)).childNodes;
}

describe.each(cases)('%s', (_, text) => {
  const report = reportSaying(text);

  test('HTML', async () => {
    const page = asHtml(await report);
    expect(build(page)).toEqual(build(asHtml(plainly)));
  });

  test('Markdown', async () => {
    const page = asMarkdown(await report);
    expect(build(page)).toEqual(build(asMarkdown(plainly)));
  });

  test('JUnit', async () => {
    const xml = renderJunit(await report);
    const { valid, errors, normalized } = await wellFormed(xml);
    expect({ valid, errors }).toEqual({ valid: true, errors: [] });
    expect(tags(normalized)).toEqual(tags((await wellFormed(renderJunit(plainly))).normalized));
  });

  test.each([
    ['SARIF', renderSarif],
    ['JSON', renderJson],
  ])('%s', async (_, render) => {
    expect(members(JSON.parse(render(await report)))).toEqual(members(JSON.parse(render(plainly))));
  });

  test('the terminal', async () => {
    const output = renderTerminal(await report, false);
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(output.split('\n').length).toBe(renderTerminal(plainly, false).split('\n').length);
  });

  test('workflow commands', async () => {
    const lines = renderGithub(await report).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
    expect(
      lines.map((line) => /^::[a-z-]+ file=[^,]*,line=3,col=1,title=[^:,]*::/.exec(line)?.[0] ?? line),
    ).toEqual([expect.stringMatching(/^::error /), expect.stringMatching(/^::notice /), '']);
  });
});

test('in a log of GitHub the report itself commands nothing', async () => {
  const report = await reportSaying('##[error]x ::warning::y');
  const log = (text: string) => obeyed(renderTerminal({ ...report, reason: text }, false));
  expect(log('##[error]x')).not.toEqual([]);
  expect(obeyed(withoutCommands(renderTerminal(report, false)))).toEqual([]);
});

/** What GitHub's runner takes for a command: `::` where a line begins, and `##[` anywhere in it. */
function obeyed(log: string): string[] {
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

test('what is said can still be read', async () => {
  const report = await reportSaying('<b> & "quotes" `ticks` *stars*');
  expect(textOf(asHtml(report))).toContain('<b> & "quotes" `ticks` *stars*');
  expect(textOf(asMarkdown(report))).toContain('<b> & "quotes" `ticks` *stars*');
  expect(renderTerminal(report, false)).toContain('<b> & "quotes" `ticks` *stars*');
});

function wellFormed(contents: string) {
  return validateXML({ xml: [{ fileName: 'junit.xml', contents }], normalization: 'format' } as Parameters<
    typeof validateXML
  >[0]);
}

/** Each tag with the names of its attributes. */
function tags(xml: string): string[] {
  return (xml.match(/<[^>]+>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, ''));
}
