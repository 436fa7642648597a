import { type ComponentChild, h } from 'preact';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';

/** A body as text; JSON is laid out, and its parts have their own colours. */
export function CodeView({ text, label }: { readonly text: string; readonly label: string }) {
  const json = layOut(text);
  return h(
    'pre',
    { class: 'code', tabIndex: 0, 'aria-label': label },
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
