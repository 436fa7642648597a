import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { validateXML } from 'xmllint-wasm';
import { renderHtml } from '../report/html.ts';
import { renderJson } from '../report/json.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { Report } from '../report/report.ts';
import { renderSarif } from '../report/sarif.ts';

/** How a report is built in each format, without any of its texts, read back by a parser of somebody else. */
export const BUILD_OF: Readonly<Record<string, (report: Report) => Promise<unknown> | unknown>> = {
  HTML: (report) => elements(asHtml(report)),
  Markdown: (report) => elements(asMarkdown(report)),
  JUnit: async (report) => {
    const { valid, errors, normalized } = await wellFormed(renderJunit(report));
    return { valid, errors, tags: tags(normalized) };
  },
  SARIF: (report) => members(JSON.parse(renderSarif(report))),
  JSON: (report) => members(JSON.parse(renderJson(report))),
};

type Node = DefaultTreeAdapterTypes.ChildNode;

export const asHtml = (report: Report) => parse(renderHtml(report)).childNodes;

export function asMarkdown(report: Report): Node[] {
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
  return parseFragment(micromark(renderMarkdown(report), options)).childNodes;
}

export function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'childNodes' in node ? textOf(node.childNodes) : ''))
    .join('');
}

/** Elements and the names of their attributes. */
function elements(nodes: readonly Node[]): unknown[] {
  return nodes.flatMap((node): unknown[] => {
    if (node.nodeName === '#comment') return ['comment'];
    if (!('tagName' in node)) return [];
    return [[node.tagName, ...node.attrs.map(({ name }) => name), elements(node.childNodes)]];
  });
}

/** The members of a JSON value. */
function members(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(members);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, members(member)]));
}

function wellFormed(contents: string) {
  return validateXML({ xml: [{ fileName: 'junit.xml', contents }], normalization: 'format' } as Parameters<
    typeof validateXML
  >[0]);
}

/** Each tag with the names of its attributes. */
function tags(xml: string): string[] {
  return (xml.match(/<[^>]+>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, ''));
}
