import { defaultParts, type Parts } from '#mock';
import { type MockFault, mockOf } from './mock-faults.ts';
import type { Service } from './suspect.ts';

export type Guarded = Parameters<Parts['authenticate']>[0];
type Request = Parameters<ReturnType<Parts['authenticate']>>[0];

/** A credential for each scheme of the document. */
const CREDENTIALS = {
  keeper: 'ida:harbour-17',
  staff: 'staff-token-4711',
  partner: 'partner-token-0815',
  badge: 'badge-2Qz',
  desk: 'desk-9xw',
  branch: 'branch-Lm5',
};

/** Deposit boxes: security schemes of each type, each with a credential of its own. */
export const deposits: Service<MockFault> = {
  ...mockOf('deposits.yaml', { credentials: CREDENTIALS }),
  options: { apiKey: undefined, credentials: CREDENTIALS },
};

/** Whether a request shows a credential of a scheme. Undefined: it is checked as it should be. */
export type CheckScheme = (scheme: string) => ((request: Request) => boolean) | undefined;

/** Checks the credential of some schemes in another way. */
export const guard = (check: CheckScheme): MockFault => ({
  authenticate(operation, keys) {
    const refuse = defaultParts.authenticate(operation, keys);
    const alternatives = operation.security.map((requirement) =>
      requirement.map((credential) => {
        const alone = defaultParts.authenticate({ ...operation, security: [[credential]] }, keys);
        return check(credential.scheme) ?? ((request: Request) => alone(request) === undefined);
      }),
    );
    return (request) =>
      alternatives.some((checks) => checks.every((holds) => holds(request)))
        ? undefined
        : (refuse(request) ?? { refuse: 'unauthorized', message: 'the credential is not accepted' });
  },
});

/** User and password of Basic, as they were sent. */
export function userAndPassword({ headers }: Request): string {
  const [, encoded = ''] = /^basic +(.*)$/i.exec(String(headers.authorization ?? '')) ?? [];
  return Buffer.from(encoded, 'base64').toString();
}

/** The check of one scheme. */
export const isNamed =
  (name: string, holds: (request: Request) => boolean): CheckScheme =>
  (scheme) =>
    scheme === name ? holds : undefined;
