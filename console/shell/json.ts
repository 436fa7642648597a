import { type ComponentChild, h } from 'preact';

/** Integers beyond 2^53 are bigints, in both directions: no id of a record may change on its way through the page. */
export function parseJson(text: string): unknown {
  return (JSON.parse as ParseWithSource)(text, (_, value, { source }) => {
    const isInexact =
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
    return isInexact ? BigInt(source as string) : value;
  });
}

export function stringifyJson(value: unknown, indent?: number): string {
  const { rawJSON } = JSON as JsonWithRaw;
  return JSON.stringify(
    value,
    (_, member) => (typeof member === 'bigint' ? rawJSON(String(member)) : member),
    indent,
  );
}

/** ECMAScript 2026, JSON.parse source text access. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;
type JsonWithRaw = typeof JSON & { readonly rawJSON: (text: string) => unknown };

/** A body as text; JSON is laid out, and its parts are told apart. */
export function BodyView({ text, label }: { readonly text: string; readonly label: string }) {
  const json = layOut(text);
  return h(
    'pre',
    { class: 'body', tabIndex: 0, 'aria-label': label },
    json === undefined ? text : colour(json),
  );
}

/** Undefined: it is no JSON, or not all of it. */
function layOut(text: string): string | undefined {
  try {
    return stringifyJson(parseJson(text), 2);
  } catch {
    return undefined;
  }
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function colour(json: string): ComponentChild[] {
  const parts: ComponentChild[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [all, string, colon = ''] = match;
    parts.push(json.slice(end, match.index));
    const kind = string === undefined ? 'json-literal' : colon ? 'json-name' : 'json-string';
    parts.push(h('span', { class: kind }, string ?? all), colon);
    end = match.index + all.length;
  }
  parts.push(json.slice(end));
  return parts;
}
