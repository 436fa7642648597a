import type { Contract } from '#spec';
import { type Keys, missingSchemes, needsKey } from '#target';
import type { Answer } from './ask-target.ts';
import { about, type Remark } from './remark.ts';

const { good, warning, wrong, skipped } = about('key');

/** Whether there is a credential, and whether operations that need one accept it. */
export function examineKey(
  { operations, securitySchemes }: Pick<Contract, 'operations' | 'securitySchemes'>,
  keys: Keys,
  answers: readonly Answer[],
): Remark {
  const needing = operations.filter(needsKey);
  if (needing.length === 0) return good('no documented operation needs one');
  const need = `${needing.length} of ${operations.length} operations need one`;
  const names = `PADDOCK_API_KEY, or a PADDOCK_CREDENTIAL_NAME for each of ${securitySchemes.join(', ')}`;
  if (keys.apiKey === undefined && Object.keys(keys.credentials).length === 0)
    return wrong(
      `none is given, and ${need}`,
      `set ${securitySchemes.length > 1 ? names : 'PADDOCK_API_KEY'}`,
    );
  const lacking = [...new Set(needing.flatMap((operation) => missingSchemes(operation, keys)))];
  if (lacking.length > 0)
    return warning(`none is given for the security scheme ${lacking.join(', ')}`, `set ${names}`);
  return examineAnswers(answers.filter(({ operation }) => needsKey(operation)));
}

function examineAnswers(answers: readonly Answer[]): Remark {
  const refused = answers.filter(({ status }) => status === 401 || status === 403);
  const taken = answers.filter(({ status }) => isTaken(status));
  const [first] = taken;
  const [no] = refused;
  if (no && first)
    return warning(`accepted by some operations: ${said(first)}, ${said(no)}`, 'look at its rights');
  if (no) return wrong(`refused: ${said(no)}`, 'is it that of this target, and not expired?');
  if (!first)
    return skipped(
      answers[0]
        ? `is given; nothing shows whether it is accepted: ${said(answers[0])}`
        : 'is given; no answer shows whether it is accepted',
    );
  if (first.bare !== undefined && isTaken(first.bare))
    return warning(`is given, and not needed: ${said(first)} with it, and ${first.bare} without`);
  return good(`accepted: ${said(first)}`);
}

/** The request has passed authentication; a server that does not know the path may answer 404 before that. */
function isTaken(status: number): boolean {
  return status < 300 || status === 400 || status === 406 || status === 422;
}

function said({ operation: { method, path }, status }: Answer): string {
  return `${method} ${path} answers ${status}`;
}
