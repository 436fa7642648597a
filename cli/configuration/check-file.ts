import { nearest } from '#spec';
import { ConfigurationError } from './find-configuration.ts';
import type { SourceOfOptions } from './read-file.ts';
import { readValue } from './read-value.ts';
import {
  type Complain,
  exclusions,
  type Member,
  memberAt,
  type Scope,
  type Scopes,
  type Setting,
} from './setting.ts';

type Entries = readonly (readonly [key: string, value: unknown])[];

/**
 * Checks the whole configuration file, also for verbs that are not running.
 * @throws ConfigurationError with every problem and its place
 */
export function checkFile(file: SourceOfOptions, scopes: Scopes): void {
  const problems: string[] = [];
  const complain = (path: readonly string[], message: string, part?: 'key' | 'value') =>
    problems.push(`${file.placeOf(path, part)}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`);

  function entriesOf(path: readonly string[], value: unknown): Entries {
    // A key without a value.
    if (value === null || value === undefined) return [];
    if (typeof value === 'object' && !Array.isArray(value))
      return Object.entries(value).filter(([, member]) => member !== undefined);
    complain(path, 'must be a mapping of names to values');
    return [];
  }

  function checkScope(path: readonly string[], scope: Scope, entries: Entries, others: readonly string[]) {
    for (const [key, value] of entries) {
      const at = [...path, key];
      const secret = scope.variables.get(key);
      const settings = scope.settings.get(key);
      if (secret) variableProblem(secret, value, (below, message) => complain([...at, ...below], message));
      else if (settings?.[0]?.isSecret) complain(at, refusalOf(settings[0], key), 'key');
      else if (settings) checkValue(at, settings, value);
      else if (!others.includes(key)) complain(at, strangerIn(path, scope, key, others), 'key');
    }
    for (const [first, second] of exclusions(scope, entries))
      complain([...path, second], `${second} and ${first} exclude each other: remove one of them`, 'key');
  }

  function checkValue(path: readonly string[], settings: readonly Setting[], value: unknown): void {
    for (const setting of settings) {
      let isFine = true;
      readValue(setting, value, file.folder, (below, message) => {
        isFine = false;
        complain([...path, ...below], message);
      });
      if (!isFine) return;
    }
  }

  function strangerIn(path: readonly string[], scope: Scope, key: string, others: readonly string[]): string {
    const [place = ''] = path;
    const verbsMeant = scopes.verbs.has(place) ? [place] : [...scopes.removed.keys()];
    const [removed] = verbsMeant.flatMap((verb) => scopes.removed.get(verb)?.get(key) ?? []);
    if (removed !== undefined) return removed;
    const meant = nearest(key, [...plainKeys(scope), ...scope.variables.keys(), ...others]);
    const elsewhere = [...scopes.verbs].flatMap(([verb, { settings }]) => (settings.has(key) ? [verb] : []));
    if (elsewhere.length > 0)
      return path.length > 0
        ? `it is an option of ${elsewhere.join(', ')}, and has no effect here`
        : `it is an option of ${elsewhere[0]} alone: write it below ${elsewhere[0]}`;
    const remedy =
      meant === undefined ? 'docs/configuration.md lists all options' : `did you mean "${meant}"?`;
    return `there is no such option here: ${remedy}`;
  }

  const isProgram = file.programs !== undefined;

  function checkMember(path: readonly string[], { schema, problem }: Member, value: unknown): void {
    const wrong =
      schema || isProgram
        ? problem(value, isProgram)
        : 'it is code: write it in paddock.config.ts, .js or .mjs';
    if (wrong !== undefined) complain(path, wrong, isProgram ? 'value' : 'key');
  }

  const verbs = [...scopes.verbs.keys()];
  const top = entriesOf([], file.value);
  checkScope([], scopes.top, top, ['$schema', 'targets', ...verbs]);
  const memberOf = (key: string) => top.find(([name]) => name === key)?.[1];
  if (memberOf('$schema') !== undefined && typeof memberOf('$schema') !== 'string')
    complain(['$schema'], 'must be a text');
  for (const verb of verbs) {
    const members = scopes.members.get(verb) ?? {};
    const entries = entriesOf([verb], memberOf(verb));
    const options = entries.filter(([key, value]) => !memberAt(members, key, value));
    checkScope([verb], scopes.verbs.get(verb) as Scope, options, Object.keys(members));
    for (const [key, value] of entries) {
      const member = memberAt(members, key, value);
      if (member) checkMember([verb, key], member, value);
    }
  }
  for (const [name, value] of entriesOf(['targets'], memberOf('targets'))) {
    const path = ['targets', name];
    const entries = entriesOf(path, value);
    checkScope(path, scopes.target, entries, ['url']);
    targetProblem(name, entries.find(([key]) => key === 'url')?.[1], (below, message) =>
      complain([...path, ...below], message, below.length > 0 ? 'value' : 'key'),
    );
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
}

function plainKeys({ settings }: Scope): string[] {
  return [...settings].flatMap(([key, [first]]) => (first?.isSecret ? [] : [key]));
}

function refusalOf({ variable }: Setting, key: string): string {
  const named = `or name the variable that holds it: ${key}Env: ${VARIABLE}`;
  return `a secret does not belong in a file, and is not read from it: set the environment variable ${variable}, ${named}`;
}

/** A placeholder for the name of a variable. */
const VARIABLE = 'VARIABLE';

/** Names of environment variables (POSIX.1-2017, 8.1), in capitals or not. */
export const VARIABLE_NAME = '^[A-Za-z_][A-Za-z0-9_]*$';

/** Names of targets, which must not look like a URL or path. */
export const TARGET_NAME = '^[A-Za-z0-9_][A-Za-z0-9_.\\-]*$';

/** A base URL without user, query and fragment. */
export const BASE_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+(?:/[^?#\\s]*)?$';

function targetProblem(name: string, url: unknown, complain: Complain): void {
  if (!new RegExp(TARGET_NAME).test(name))
    complain([], 'the name of a target has letters, digits, "-", "_" and ".", and does not look like a URL');
  if (url === undefined) complain([], 'a target needs a url, such as url: https://staging.example/v1');
  else if (typeof url !== 'string' || !new RegExp(BASE_URL).test(url) || !URL.canParse(url))
    complain(
      ['url'],
      'must be a base URL, such as https://staging.example/v1, without user, password, "?" and "#"',
    );
}

/** Reports an invalid variable name. It is not shown, as it may be the secret itself. */
function variableProblem({ form }: Setting, value: unknown, complain: Complain): void {
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
