import {
  type AccountOperation,
  answerShape,
  isRecord,
  isRefreshToken,
  plainName,
  type Shape,
  shapeAt,
  textAt,
  valueAt,
} from '#spec';
import { LIFETIMES, type TokenKind } from '../../http/tokens.ts';
import type { Task } from './action.ts';
import type { AccountContext, Shown } from './log-in.ts';
import { withValueAt } from './show.ts';

type ShowTokens = (body: unknown, task: Task, found: Shown) => unknown;

/** What a member beside a token may be: the first that its schema allows. Undefined before them: left out where it may be. */
type Beside = (facts: Facts) => readonly unknown[];

interface Facts {
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly scope: string | undefined;
  /** The value that was made up. */
  readonly sampled: unknown;
}

/** Compiles the filling of a response with tokens, and with what stands beside them (RFC 6749 §5.1), which is true of them. */
export function compileShowTokens(
  { operation, contract, tokens }: AccountContext,
  meaning: AccountOperation,
): ShowTokens {
  const answer = answerShape(operation);
  const allows = ({ parts }: Shape, value: unknown) =>
    parts.every((part) => contract.validators.compile(part, 'response')(value).length === 0);
  const places = meaning.tokens.map((path) => {
    const around = path.slice(0, -1);
    const shape = shapeAt(answer, around);
    const isOptional = !shape?.required.has(path.at(-1) ?? '');
    return { path, kind: kindOf(path), around, shape, isOptional };
  });
  const besides = places.flatMap(({ around, shape }, index) => {
    if (!shape || places.findIndex((one) => one.shape === shape) < index) return [];
    const isOpen = shape.properties.size === 0;
    const named = isOpen ? OPEN.map((name) => [name, undefined] as const) : [...shape.properties];
    return named.flatMap(([name, member]) => {
      const beside = besideFor(name, member);
      return beside
        ? [{ path: [...around, name], member, beside, isOptional: !shape.required.has(name) }]
        : [];
    });
  });

  return (given, task, { account, scope, isClient }) => {
    const now = task.time();
    let body = given;
    for (const { path, kind, isOptional } of places) {
      const isWithheld = isClient && kind === 'refresh' && isOptional;
      const token = tokens.issue({ subject: account.subject, scope }, kind, now, account.revoked);
      body = isWithheld ? withoutAt(body, path) : withValueAt(body, path, () => token);
    }
    for (const { path, member, beside, isOptional } of besides) {
      const sampled = valueAt(body, path);
      if (sampled === undefined && meaning.role !== 'grant') continue;
      const [first, ...others] = beside({ now, scope, sampled });
      if (first === undefined && isOptional) {
        body = withoutAt(body, path);
        continue;
      }
      const value = [first, ...others].find((one) => one !== undefined && (!member || allows(member, one)));
      if (value !== undefined) body = withValueAt(body, path, () => value);
    }
    return body;
  };
}

const kindOf = (path: readonly string[]): TokenKind => (isRefreshToken(path) ? 'refresh' : 'access');

/** What a response of a token endpoint has whose schema does not say. */
const OPEN = ['token_type', 'expires_in', 'scope'];

const EXPIRY =
  /^(access|refresh)?(?:token)?(?:expir(?:es?|y|ation)|exp|valid(?:until|to))(in|seconds|at|on|time|date|timestamp)?$/;

/** Undefined: the member says nothing of a token. */
function besideFor(name: string, member: Shape | undefined): Beside | undefined {
  const plain = plainName(name);
  if (plain === 'tokentype') return () => ['Bearer', 'bearer', 'BEARER'];
  // Undefined: it is what was asked for, and nothing was (RFC 6749 §5.1).
  if (plain === 'scope' || plain === 'scopes')
    return ({ scope }) => (scope === undefined ? [undefined, '', []] : [scope, scope.split(' ')]);
  const [is, kind, how] = EXPIRY.exec(plain) ?? [];
  if (is === undefined) return undefined;
  const seconds = LIFETIMES[kind === 'refresh' ? 'refresh' : 'access'];
  const isMilli = /\bmilli|\bms\b/i.test((member && textAt(member.spot, 'description')) ?? '');
  return ({ now, sampled }) => {
    const end = Math.floor(now / 1000) + seconds;
    const isLong = isMilli || (typeof sampled === 'number' && sampled > LONG);
    const span = isMilli ? seconds * 1000 : seconds;
    if (how === 'in' || how === 'seconds') return [span, String(span)];
    const moment = isLong ? end * 1000 : end;
    const isSpan = how === undefined && plain !== 'exp' && typeof sampled === 'number' && sampled < MOMENT;
    const text = new Date(end * 1000).toISOString();
    return [text, text.slice(0, 10), isSpan ? span : moment];
  };
}

/** A number of seconds since 1970 is above the one, a number of milliseconds above the other. */
const MOMENT = 1e8;
const LONG = 1e11;

function withoutAt(body: unknown, path: readonly string[]): unknown {
  const last = path.at(-1);
  return withValueAt(body, path.slice(0, -1), (around) =>
    isRecord(around) ? Object.fromEntries(Object.entries(around).filter(([name]) => name !== last)) : around,
  );
}
