import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { validateXML } from 'xmllint-wasm';
import { REPORT_FORMATS } from '../report/formats.ts';
import { renderHtml } from '../report/html.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { Report } from '../report/report.ts';

type Builder = (text: string) => Promise<unknown> | unknown;

const asJson: Builder = (text) => members(JSON.parse(text));

/** The structure of a text without its texts, as an independent parser reads it. */
const BUILDERS: Readonly<Record<(typeof REPORT_FORMATS)[keyof typeof REPORT_FORMATS]['mediaType'], Builder>> =
  {
    'text/html': (text) => elements(parse(text).childNodes),
    'text/markdown': (text) => elements(parseMarkdown(text)),
    'application/xml': async (text) => {
      const { valid, errors, normalized } = await wellFormed(text);
      return { valid, errors, tags: tags(normalized) };
    },
    'text/plain': (text) =>
      text
        .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
        .map((line) => /:\d+: (error|warning): /.exec(line)?.[1] ?? line),
    'application/json': asJson,
    'application/sarif+json': asJson,
  };

/** The structure of a report in each format. */
export const BUILD_OF: Readonly<Record<string, (report: Report) => Promise<unknown> | unknown>> =
  Object.fromEntries(
    Object.entries(REPORT_FORMATS).map(([name, { mediaType, render }]) => [
      name,
      (report: Report) => BUILDERS[mediaType](render(report)),
    ]),
  );

type Node = DefaultTreeAdapterTypes.ChildNode;

export const asHtml = (report: Report) => parse(renderHtml(report)).childNodes;

export const asMarkdown = (report: Report) => parseMarkdown(renderMarkdown(report));

function parseMarkdown(text: string): Node[] {
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
  return parseFragment(micromark(text, options)).childNodes;
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
