import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { walkParts } from './find-references.ts';
import type { SourceFile } from './source-file.ts';

/** Where a value stands. */
export interface Place {
  readonly file: SourceFile;
  readonly path: readonly string[];
}

/** A part of a file that has a URI of its own: the whole, or a schema with an `$id` (JSON Schema 2020-12 core §8.2.1). */
export interface Resource extends Place {
  /** The base of the references in it: absolute, without a fragment. */
  readonly uri: string;
  /** The paths in the file of the schemas that have a name, by `$anchor` or `$dynamicAnchor` (§8.2.2); the first of each. */
  readonly anchors: ReadonlyMap<string, readonly string[]>;
  /** Those that have it by `$dynamicAnchor`. */
  readonly dynamicAnchors: ReadonlyMap<string, readonly string[]>;
}

export interface FileResources {
  readonly whole: Resource;
  readonly all: readonly Resource[];
  /** Whether a `$dynamicRef` is in it. */
  readonly isDynamic: boolean;
  /** The innermost one that has the value at this path. */
  at(path: readonly string[]): Resource;
}

interface WritableResource extends Resource {
  readonly anchors: Map<string, readonly string[]>;
  readonly dynamicAnchors: Map<string, readonly string[]>;
}

/**
 * @param url of the file; its `$self` (OpenAPI 3.2 §4.1), or the `$id` of a schema that is a file of its own, is resolved
 * against that
 * @param isIdKeyword of the document, by {@link hasIds}
 */
export const resourcesOf = (url: string, file: SourceFile, isIdKeyword: boolean): FileResources =>
  resourcesIn(file, url, isIdKeyword);

/** A file is part of one document, and is kept where parts of others are repaired. */
const resourcesIn = oncePer(findResources);

function findResources(file: SourceFile, url: string, isIdKeyword: boolean): FileResources {
  const byPlace = new Map<string, WritableResource>();
  const all: WritableResource[] = [];
  let isDynamic = false;

  function add(path: readonly string[], uri: string): WritableResource {
    const resource = { file, path: [...path], uri, anchors: new Map(), dynamicAnchors: new Map() };
    byPlace.set(path.join('\n'), resource);
    all.push(resource);
    return resource;
  }

  function at(path: readonly string[]): WritableResource {
    if (all.length > 1)
      for (let length = path.length; length > 0; length--) {
        const resource = byPlace.get(path.slice(0, length).join('\n'));
        if (resource) return resource;
      }
    return whole;
  }

  const { $self, $id } = isRecord(file.value) ? file.value : {};
  const isApi = isRecord(file.value) && 'openapi' in file.value;
  const whole = add([], (isIdKeyword && uriOf(isApi ? $self : $id, url)) || url);
  walkParts(file.value, (value, path, isMap) => {
    if (isMap || !isRecord(value)) return;
    if (isIdKeyword && path.length > 0) {
      const uri = uriOf(value.$id, at(path).uri);
      if (uri !== undefined) add(path, uri);
    }
    const { $anchor, $dynamicAnchor, $dynamicRef } = value;
    if (typeof $anchor === 'string') name(at(path).anchors, $anchor, path);
    if (typeof $dynamicAnchor === 'string') {
      name(at(path).anchors, $dynamicAnchor, path);
      name(at(path).dynamicAnchors, $dynamicAnchor, path);
    }
    if (typeof $dynamicRef === 'string') isDynamic = true;
  });
  return { whole, all, isDynamic, at };
}

function name(anchors: Map<string, readonly string[]>, anchor: string, path: readonly string[]): void {
  if (!anchors.has(anchor)) anchors.set(anchor, [...path]);
}

/** Undefined: it is no URI reference, or has a fragment only. */
function uriOf(id: unknown, base: string): string | undefined {
  if (typeof id !== 'string') return undefined;
  const [uri = ''] = id.split('#', 1);
  return uri === '' ? undefined : URL.parse(uri, base)?.href;
}

/** Whether `$id` is a keyword in a document with this first file: OpenAPI 3.0 and Swagger 2.0 have none. */
export function hasIds(file: SourceFile | undefined): boolean {
  return (
    isRecord(file?.value) && !('swagger' in file.value) && !/^3(?:\.0|$)/.test(String(file.value.openapi))
  );
}
