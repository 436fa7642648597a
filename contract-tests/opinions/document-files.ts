import { type Contract, isRecord } from '#spec';

/** What a reference names. */
export interface Found {
  /** URL of the file. */
  readonly file: string;
  readonly value: unknown;
  /** As it is written within that file: `#/...`. */
  readonly fragment: string;
  readonly id: string;
}

/** The files of a document, by URL. */
export interface Files {
  readonly root: string;
  /** Undefined: no file of the document. @param from URL of the file in which the reference stands */
  find(reference: string, from: string): Found | undefined;
}

export function createFiles({ files, root }: Contract['document']): Files {
  const rootUrl = [...files].find(([, file]) => file === root.file)?.[0] ?? '';
  return {
    root: rootUrl,
    find(reference, from) {
      const [file = '', pointer = ''] = reference.split('#', 2);
      const url = file === '' ? from : (URL.parse(file, from)?.href ?? '');
      const source = files.get(url);
      if (!source) return undefined;
      const value = lookUp(source.value, pointer);
      return { file: url, value, fragment: `#${pointer}`, id: `${url}#${pointer}` };
    },
  };
}

/** RFC 6901 §6: a pointer in a URI fragment is percent-encoded. */
function lookUp(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((here, token) => {
      return isRecord(here) || Array.isArray(here) ? (here as Record<string, unknown>)[token] : undefined;
    }, value);
}
