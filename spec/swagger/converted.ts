import type { SourceFile } from '../document/source-file.ts';

/** Where the objects of a converted document stood in the one that it was made of. */
export type Origins = Map<unknown, readonly string[]>;

/** A file with another value, each part of which has the source position of what it was made of. */
export function convertedFile(file: SourceFile, value: unknown, origins: Origins): SourceFile {
  function originOf(path: readonly string[]): readonly string[] {
    let here = value;
    let origin: readonly string[] = [];
    for (const step of path) {
      here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[step] : undefined;
      origin = origins.get(here) ?? [...origin, step];
    }
    return origin;
  }

  return {
    ...file,
    value,
    positionOf: (path) => file.positionOf(originOf(path)),
    problemAt: (path, message) => file.problemAt(originOf(path), message),
  };
}
