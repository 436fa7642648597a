import { stringify } from 'yaml';
import { type Contract, stringifyJson } from '#spec';
import type { MockRequest, ResponseContent } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import { jsonResponse } from './control.ts';

/** The mocked document as YAML and JSON, by path; no key is needed. With overlays it has no text of its own. */
export function documentFiles(
  { document: { root } }: Contract,
  basePath: string,
): ReadonlyMap<string, () => ResponseContent> {
  let json: string | undefined;
  let overlaid: string | undefined;
  const toYaml = () => {
    if (!root.file.overlays) return root.file.text;
    overlaid ??= stringify(root.value, { aliasDuplicateObjects: false });
    return overlaid;
  };
  const yaml = () => ({ status: 200, type: 'application/yaml', body: toYaml() });
  const toJson = () => {
    json ??= stringifyJson(root.value, 2);
    return { status: 200, type: 'application/json', body: json };
  };
  return new Map(
    ['', basePath].flatMap((prefix): [string, () => ResponseContent][] => [
      [`${prefix}/openapi.yaml`, yaml],
      [`${prefix}/openapi.json`, toJson],
    ]),
  );
}

/** The lines around one line of the document. */
export interface SourceLines {
  /** As places name the file: `spec/openapi.yaml`. */
  readonly uri: string;
  readonly line: number;
  /** The number of the first one below. */
  readonly first: number;
  readonly lines: readonly string[];
}

/** How many lines are shown before and after. */
const AROUND = 3;

/** In characters: the line of a document without line breaks would be the whole of it. */
const LONGEST_LINE = 400;

/** `GET /__admin/source?at=spec/openapi.yaml:41`: of the document's own files only. */
export function showSource({ document }: Contract, { query }: MockRequest): Outcome {
  const at = new URLSearchParams(query).get('at') ?? '';
  const [, uri = '', digits = ''] = /^(.*):(\d+)$/s.exec(at) ?? [];
  const files = [...document.files.values()].flatMap((file) => [file, ...(file.overlays ?? [])]);
  const lines = files.find((file) => file.uri === uri)?.text.split(/\r?\n/);
  const line = Number(digits);
  if (lines?.[line - 1] === undefined)
    return { refuse: 'not found', message: `The document has no line ${JSON.stringify(at)}` };
  const first = Math.max(1, line - AROUND);
  const shown = lines.slice(first - 1, line + AROUND).map((text) => text.slice(0, LONGEST_LINE));
  return jsonResponse({ uri, line, first, lines: shown } satisfies SourceLines);
}
