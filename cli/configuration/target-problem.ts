import type { Complain } from './given.ts';
import type { Setting } from './setting.ts';

/** Stands for the name of a variable. */
export const VARIABLE = 'VARIABLE';

/** Names of environment variables (POSIX.1-2017, 8.1), in capitals or not. */
export const VARIABLE_NAME = '^[A-Za-z_][A-Za-z0-9_]*$';

/** Names of targets: no name looks like a URL or a path. */
export const TARGET_NAME = '^[A-Za-z0-9_][A-Za-z0-9_.\\-]*$';

/** A base URL without user, query and fragment. */
export const BASE_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+(?:/[^?#\\s]*)?$';

/** Complains of the name or the URL of a target. */
export function targetProblem(name: string, url: unknown, complain: Complain): void {
  if (!new RegExp(TARGET_NAME).test(name))
    complain([], 'the name of a target has letters, digits, "-", "_" and ".", and does not look like a URL');
  if (url === undefined) complain([], 'a target needs a url, such as url: https://staging.example/v1');
  else if (typeof url !== 'string' || !new RegExp(BASE_URL).test(url) || !URL.canParse(url))
    complain(
      ['url'],
      'must be a base URL, such as https://staging.example/v1, without user, password, "?" and "#"',
    );
}

/** Complains of what is no name of a variable. It may be the secret itself, and is not shown. */
export function variableProblem({ form }: Setting, value: unknown, complain: Complain): void {
  const isName = (text: unknown) => typeof text === 'string' && new RegExp(VARIABLE_NAME).test(text);
  const wanted = 'must be the name of an environment variable, never a secret; what was given is not shown';
  if (form.type !== 'pairs') {
    if (!isName(value)) complain([], wanted);
  } else if (typeof value !== 'object' || value === null || Array.isArray(value))
    complain([], `must be a mapping { securityScheme: ${VARIABLE} }; what was given is not shown`);
  else
    for (const [name, variable] of Object.entries(value)) {
      if (name === '' || name.includes('=')) complain([name], 'is no name of a security scheme');
      else if (!isName(variable)) complain([name], wanted);
    }
}
