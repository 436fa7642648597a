import type { Contract } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import { jsonResponse } from './json.ts';

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
