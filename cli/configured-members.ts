import type { Member } from '#configuration';
import { isRecord } from '#spec';
import { HOOK_NAMES, hooksProblem, ownLawProblem, plainSecrets, sourceProblem } from '#user-code';

const FUNCTION: Readonly<Record<(typeof HOOK_NAMES)[number], string>> = {
  before: 'code that is called before a run',
  after: 'code that is called after a run, with its report',
  beforeRequest: 'code that is called before each request, and may change it or leave it out',
  afterResponse: 'code that is called after each response, before it is judged',
  prepare: 'code by operation that gives ids and bodies to send',
  cleanup: 'code that is called when a run has removed what it has made',
};

const SECRET = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: { env: { type: 'string' } },
      required: ['env'],
      additionalProperties: false,
    },
  ],
};

/** Members below a verb in a configuration file that are no options of the command line. */
export const CONFIGURED_MEMBERS: ReadonlyMap<string, Readonly<Record<string, Member>>> = new Map([
  [
    'mock',
    {
      operations: {
        description: 'code that responds to operations, by operationId or "GET /path"',
        problem: (value: unknown) =>
          isRecord(value) && Object.values(value).every((one) => one === undefined || isFunction(one))
            ? undefined
            : 'must be an object of functions by operationId or "GET /path"',
      },
      seed: {
        description: 'code that gives the records that collections begin with',
        takes: isFunction,
        problem: () => undefined,
      },
    },
  ],
  [
    'check',
    {
      credentials: {
        description: 'where the credential of a security scheme comes from, by its name',
        schema: {
          type: 'object',
          propertyNames: { pattern: '^[^=]+$' },
          additionalProperties: { anyOf: sourceSchemas() },
        },
        problem: credentialsProblem,
      },
      laws: { description: 'laws of your own, beside those of Paddock', problem: ownLawProblem },
      ...Object.fromEntries(
        HOOK_NAMES.map((name) => [
          name,
          { description: FUNCTION[name], problem: (value: unknown) => hooksProblem({ [name]: value }) },
        ]),
      ),
    },
  ],
]);

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function credentialsProblem(value: unknown, isProgram: boolean): string | undefined {
  if (!isRecord(value))
    return 'it must be a mapping of security schemes to where their credentials come from';
  for (const [name, source] of Object.entries(value)) {
    if (name === '' || name.includes('=')) return `${JSON.stringify(name)} is no name of a security scheme`;
    const [secret] = isProgram ? [] : plainSecrets(source);
    const problem =
      sourceProblem(source) ??
      (secret === undefined
        ? undefined
        : `${secret} is a secret, which does not belong in a file: name the variable that holds it, { env: NAME }`);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}

/** The forms of a source that is no code. */
function sourceSchemas(): readonly object[] {
  const text = { type: 'string' };
  const form = (required: readonly string[], properties: object) => ({
    type: 'object',
    required,
    additionalProperties: false,
    properties,
  });
  return [
    form(['env'], { env: text }),
    form(['command'], { command: text, expiresIn: { type: 'number' } }),
    form(['grant'], {
      grant: { enum: ['client_credentials', 'password', 'refresh_token'] },
      tokenUrl: text,
      clientId: text,
      clientSecret: SECRET,
      clientAuth: { enum: ['basic', 'body'] },
      username: text,
      password: SECRET,
      refreshToken: SECRET,
      scope: text,
      parameters: { type: 'object', additionalProperties: SECRET },
    }),
    form(['login', 'take'], {
      login: { type: 'string', pattern: '^[A-Z]+ \\S+$' },
      body: {},
      form: { type: 'object', additionalProperties: SECRET },
      headers: { type: 'object', additionalProperties: SECRET },
      take: {
        type: 'object',
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
        properties: { body: text, header: text, cookie: text },
      },
      expiresIn: { type: ['number', 'string'] },
    }),
  ];
}
