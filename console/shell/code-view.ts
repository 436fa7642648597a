import { type ComponentChild, Fragment, h } from 'preact';
import { parseJson, stringifyJson } from './exact-json.ts';
import { count } from './words.ts';

interface CodeViewProps {
  readonly text: string;
  /** The label for screen readers. */
  readonly label: string;
  /** Default: formatted JSON if it is JSON, else plain text. */
  readonly language?: 'json' | 'script' | 'shell';
}

/** Highlighted code or JSON: names, strings, numbers and keywords. */
export function CodeView({ text, label, language }: CodeViewProps) {
  return h('pre', { class: 'code', tabIndex: 0, 'aria-label': label }, coloured(text, language));
}

/** Highlighted code without a box. */
function coloured(text: string, language?: CodeViewProps['language']): ComponentChild {
  if (language === 'script') return split(text, SCRIPT);
  if (language === 'shell') return split(text, SHELL);
  const json = language === 'json' ? text : layOutJson(text);
  return json === undefined ? text : split(json, JSON_TOKENS);
}

/** Undefined: it is not valid JSON. */
export function layOutJson(text: string): string | undefined {
  try {
    return stringifyJson(parseJson(text), 2);
  } catch {
    return undefined;
  }
}

const NUMBER = String.raw`(?<number>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)`;

/** Each group is a kind of token, with its own class. */
const JSON_TOKENS = new RegExp(
  String.raw`(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<literal>\b(?:true|false|null)\b)|${NUMBER}`,
  'g',
);
const SCRIPT = new RegExp(
  String.raw`(?<comment>(?<!:)\/\/[^\n]*|(?<![^\s])#[^\n]*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60)|(?<name>\b[A-Za-z_$][\w$]*(?=\s*:(?!:)))|(?<literal>\b(?:await|async|const|let|var|return|new|import|from|export|default|function|if|else|for|of|in|throw|try|catch|typeof|true|false|null|undefined|None|True|False|def|with|as)\b)|${NUMBER}`,
  'g',
);
const SHELL =
  /(?<string>'[^']*'|"(?:[^"\\]|\\.)*")|(?<name>(?<=^|\s)--?[A-Za-z][\w-]*)|(?<literal>\$\w+)|(?<comment>(?<=^|\s)#[^\n]*)/gm;

function split(text: string, tokens: RegExp): ComponentChild[] {
  const parts: ComponentChild[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, group]) => group !== undefined)?.[0];
    parts.push(text.slice(end, match.index), h('span', { class: `code-${kind}` }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

interface MessageViewProps {
  /** `request` or `response`. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The length of the full body, if it is cut. */
  readonly cutFrom: number | undefined;
}

export function Headers({ headers }: { readonly headers: readonly (readonly [string, string])[] }) {
  return h('details', { class: 'headers' }, [
    h('summary', {}, count(headers.length, 'header')),
    h('dl', { class: 'terms mono' }, [
      headers.map(([name, value]) => h(Fragment, { key: name }, h('dt', {}, name), h('dd', {}, value))),
    ]),
  ]);
}

/** The headers of a request or response, collapsed, and its body. */
export function MessageView({ name, headers, body, cutFrom }: MessageViewProps) {
  return h(Fragment, {}, [
    h(Headers, { headers: Object.entries(headers) }),
    body === undefined ? h('p', { class: 'soft' }, 'No body') : h(BodyView, { name, headers, body }),
    cutFrom !== undefined &&
      h('p', { class: 'soft' }, `Truncated: the first ${body?.length ?? 0} of ${cutFrom} characters.`),
  ]);
}

/** A body; the fields of a form as rows. */
export function BodyView({ name, headers, body = '' }: Omit<MessageViewProps, 'cutFrom'>) {
  const [, type = ''] = Object.entries(headers).find(([one]) => one.toLowerCase() === 'content-type') ?? [];
  const rows = formRows(type, body);
  if (!rows) return h(CodeView, { text: body, label: `Body of the ${name}` });
  return h('dl', { class: 'terms mono', 'aria-label': `Form of the ${name}` }, [
    rows.map(([field, value], index) => h(Fragment, { key: index }, h('dt', {}, field), h('dd', {}, value))),
  ]);
}

/** Names and values. Undefined: it is no form. */
function formRows(type: string, body: string): readonly (readonly [string, string])[] | undefined {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return [...new URLSearchParams(body)];
  const [, quoted, plain] = /^multipart\/form-data;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  return body.split(`--${boundary}`).flatMap((part) => {
    const [head = '', ...content] = part.split(/\r?\n\r?\n/);
    const [, field] = /\bname="([^"]*)"/i.exec(head) ?? [];
    const [, file] = /\bfilename="([^"]*)"/i.exec(head) ?? [];
    return field === undefined ? [] : [[field, file ?? content.join('\n\n').trimEnd()] as const];
  });
}
