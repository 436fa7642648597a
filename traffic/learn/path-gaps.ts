import {
  type Contract,
  escapeText,
  parseJson,
  pathForm,
  pathParameters,
  rawChild,
  stringifyJson,
} from '#spec';
import type { RecordedExchange, RecordedResponse } from '../har/recorded-exchange.ts';
import { learnParts, SEEN, type WriteOptions } from './learn-document.ts';
import { createLearner, type LearnedPath } from './learn-traffic.ts';
import { PathTally } from './operation-tally.ts';
import type { OverlayChange } from './overlay-change.ts';
import type { TemplateSegment } from './path-tree.ts';
import type { Schemas } from './schemas.ts';
import { createTextTally, noteText, type TextTally } from './text-tally.ts';
import { entryAt } from './value-tally.ts';

type Json = Record<string, unknown>;
type Answered = RecordedExchange & { readonly response: RecordedResponse };

/** A server that no recording has: undocumented paths are learned as those of one service. */
const SERVICE = 'http://service.invalid';

/** Undocumented paths, and methods of documented paths. */
export interface PathGaps {
  /** @param path below the base URL of the service @param template of the path; undefined: the document does not have it */
  add(exchange: Answered, path: string, template: string | undefined): void;
  changes(options: WriteOptions): {
    readonly changes: OverlayChange[];
    readonly components: Schemas['components'];
  };
}

export function findPathGaps(contract: Contract): PathGaps {
  const paths = createLearner({ baseUrls: [SERVICE] });
  const methods = findMethodGaps();
  const { root } = contract.document;

  function changesOf(learned: string, item: Record<string, Json>): OverlayChange[] {
    const path =
      contract.operations.find((operation) => pathForm(operation.path) === pathForm(learned))?.path ??
      learned;
    const items = rawChild(root, 'paths');
    const pathItem = items && rawChild(items, path);
    const hasOwn = pathItem !== undefined && rawChild(pathItem, 'parameters') !== undefined;
    return Object.entries(item).map(([method, operation]) => {
      const secured = { ...withNames(operation, pathParameters(path), hasOwn), security: undefined };
      const text = `${method.toUpperCase()} ${path}`;
      return {
        target: '$.paths',
        update: { [path]: { [method]: parseJson(stringifyJson(secured)) } },
        key: text,
        text,
        kind: 'adds',
        seen: Number(operation[SEEN]),
      };
    });
  }

  return {
    add(exchange, path, template) {
      const url = new URL(`${SERVICE}${path}${exchange.request.url.search}`);
      const moved = { ...exchange, request: { ...exchange.request, url } };
      if (template === undefined) paths.add(moved);
      else methods.add(path, template, moved);
    },
    changes(options) {
      const traffic = paths.result();
      const all = [...traffic.paths, ...methods.all()];
      const parts = learnParts({ ...traffic, paths: all }, options);
      const changes = Object.entries(parts.paths).flatMap(([path, item]) => changesOf(path, item));
      return { changes, components: parts.components };
    },
  };
}

/** Renames the path parameters of a learned operation to the documented names. */
function withNames(operation: Json, names: readonly string[], hasOwn: boolean): Json {
  let index = 0;
  const parameters = (operation.parameters as Json[] | undefined)?.flatMap((parameter) => {
    if (parameter.in !== 'path') return [parameter];
    const name = names[index++];
    return hasOwn ? [] : [{ ...parameter, name }];
  });
  return parameters === undefined ? operation : { ...operation, parameters };
}

interface OpenPath {
  readonly path: LearnedPath & { readonly tally: PathTally };
  /** The texts of its parameters, and the expression that matches them. */
  readonly texts: readonly TextTally[];
  readonly form: RegExp;
}

/** Requests with undocumented methods of documented paths. */
function findMethodGaps() {
  const openPaths = new Map<string, OpenPath>();
  return {
    /** @param template of the path in the document */
    add(path: string, template: string, exchange: Answered): void {
      if (exchange.response.status === 405) return;
      const entry = entryAt(openPaths, template, () => openPath(template));
      const [, ...values] = entry.form.exec(path) ?? [];
      for (const [index, text] of values.entries()) noteText(entry.texts[index] as TextTally, text);
      entry.path.tally.add(exchange);
    },
    all: () => [...openPaths.values()].map(({ path }) => path).filter(({ tally }) => tally.isTelling()),
  };
}

function openPath(path: string): OpenPath {
  const texts: TextTally[] = [];
  const segments = path
    .slice(1)
    .split('/')
    .map((word): TemplateSegment => {
      if (!word.startsWith('{')) return { word };
      const text = createTextTally();
      texts.push(text);
      return { texts: text, suffix: word.slice(word.indexOf('}') + 1) };
    });
  const words = path.split(/\{[^}]*\}/).map(escapeText);
  const form = new RegExp(`^${words.join('([^/]+)')}$`);
  return { path: { segments, tally: new PathTally() }, texts, form };
}
