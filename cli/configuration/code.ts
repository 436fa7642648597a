/** Code that a configuration file in TypeScript or JavaScript may have beside its options: by verb and key. */
const CODE: Readonly<Record<string, Readonly<Record<string, CodeForm>>>> = {
  mock: {
    operations: {
      allowed: 'an object of functions by operationId or "GET /path"',
      isCode: (value) =>
        isObject(value) &&
        Object.values(value).every((one) => one === undefined || typeof one === 'function'),
    },
    // A number is the option of this name.
    seed: { allowed: undefined, isCode: (value) => typeof value === 'function' },
  },
};

interface CodeForm {
  /** Undefined: an option has the same name, and says what else may stand there. */
  readonly allowed: string | undefined;
  readonly isCode: (value: unknown) => boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** The code of a file, by verb, and the file without it. */
export interface SplitFile {
  readonly options: unknown;
  readonly code: ReadonlyMap<string, Members>;
}

export function splitCode(file: unknown): SplitFile {
  const code = new Map<string, Members>();
  if (!isObject(file)) return { options: file, code };
  const options = Object.entries(file).map(([verb, members]) => {
    const forms = CODE[verb];
    if (!forms || !isObject(members)) return [verb, members];
    const isCode = ([key, value]: [string, unknown]) =>
      Object.hasOwn(forms, key) && forms[key]?.isCode(value) === true;
    const all = Object.entries(members);
    code.set(verb, Object.fromEntries(all.filter(isCode)));
    return [verb, Object.fromEntries(all.filter((one) => !isCode(one)))];
  });
  return { options: Object.fromEntries(options), code };
}

/** What the code at a path of a file must be; undefined: no code stands there. */
export function codeAllowed([verb = '', key = '', ...rest]: readonly string[]): string | undefined {
  if (rest.length > 0 || !Object.hasOwn(CODE, verb)) return undefined;
  const forms = CODE[verb] as Readonly<Record<string, CodeForm>>;
  const allowed = Object.hasOwn(forms, key) ? forms[key]?.allowed : undefined;
  return allowed && `must be ${allowed}, in a file that ends in .ts, .js or .mjs`;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
