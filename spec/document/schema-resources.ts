import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { walkParts } from './find-references.ts';
import type { SourceFile } from './source-file.ts';

/** The location of a value. */
export interface Place {
  readonly file: SourceFile;
  readonly path: readonly string[];
}

/** A part of a file with its own URI: the whole file, or a schema with an `$id` (JSON Schema 2020-12 core §8.2.1). */
export interface Resource extends Place {
  /** The base URI of its references: absolute, without a fragment. */
  readonly uri: string;
  /**
   * The paths in the file of its schemas with an `$anchor` or `$dynamicAnchor` (§8.2.2), by name; the first of each
   * name.
   */
  readonly anchors: ReadonlyMap<string, readonly string[]>;
  /** Those with a `$dynamicAnchor`. */
  readonly dynamicAnchors: ReadonlyMap<string, readonly string[]>;
}

export interface FileResources {
  readonly whole: Resource;
  readonly all: readonly Resource[];
  /** Whether it contains a `$dynamicRef`. */
  readonly isDynamic: boolean;
  /** The innermost resource that contains the value at this path. */
  at(path: readonly string[]): Resource;
}

interface WritableResource extends Resource {
  readonly anchors: Map<string, readonly string[]>;
  readonly dynamicAnchors: Map<string, readonly string[]>;
}

/**
 * @param url of the file, which its `$self` (OpenAPI 3.2 §4.1), or the `$id` of its root schema, is resolved against
 * @param isIdKeyword of the document, by {@link hasIds}
 */
export const resourcesOf = (url: string, file: SourceFile, isIdKeyword: boolean): FileResources =>
  resourcesIn(file, url, isIdKeyword);

/** Cached for each file, which belongs to one document and outlives repairs of its other files. */
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

/** The URI of an `$id`; undefined if it is not a URI reference, or only a fragment. */
function uriOf(id: unknown, base: string): string | undefined {
  if (typeof id !== 'string') return undefined;
  const [uri = ''] = id.split('#', 1);
  return uri === '' ? undefined : URL.parse(uri, base)?.href;
}

/** Whether `$id` is a keyword in the document with this first file: it is none in OpenAPI 3.0 and Swagger 2.0. */
export function hasIds(file: SourceFile | undefined): boolean {
  return (
    isRecord(file?.value) && !('swagger' in file.value) && !/^3(?:\.0|$)/.test(String(file.value.openapi))
  );
}
