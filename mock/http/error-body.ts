import { errorRoles, isRecord, type Shape, sample } from '#spec';
import type { Detail } from './exchange.ts';

/** What an error body states. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Detail[];
  /** Further members by name, where the schema has them. */
  readonly others: Readonly<Record<string, unknown>>;
}

/**
 * A value of a documented error schema that states these facts: each in the member whose name and type indicate
 * it, in nested objects too; a list of objects with a message gets one for each detail.
 */
export function fillErrorBody(shape: Shape, facts: ErrorFacts): unknown {
  return fill(shape, sample(shape, { key: 'error', include: () => false }), facts);
}

function fill(shape: Shape, blank: unknown, facts: ErrorFacts): unknown {
  if (!isRecord(blank)) return blank;
  const filled: Record<string, unknown> = { ...blank };
  const roles = errorRoles(shape);
  const put = (name: string | undefined, value: unknown) => {
    const member = name === undefined ? undefined : shape.properties.get(name);
    if (name !== undefined && member && accepts(member, value)) filled[name] = shortened(member, value);
  };
  for (const [name, value] of Object.entries(facts.others)) put(name, value);
  put(roles.status, facts.status);
  put(roles.code, facts.code);
  put(roles.message, facts.message);
  for (const [name, member] of shape.properties) {
    if (Object.hasOwn(filled, name) && member.mainType === 'object')
      filled[name] = fill(member, filled[name], facts);
    const { items } = member;
    if (items?.mainType === 'string' && roles.message === undefined && TEXTS.test(name))
      filled[name] = [facts.message];
    if (items?.mainType === 'object' && errorRoles(items).message) {
      const all = fillList(items, facts);
      filled[name] = all.length > 0 || roles.message !== undefined ? all : [fillErrorBody(items, facts)];
    }
  }
  return filled;
}

/** Lists of texts that say what was wrong. */
const TEXTS = /^(?:errors?|messages?|details?|reasons?|body|base)$/i;

function fillList(items: Shape, facts: ErrorFacts): unknown[] {
  return facts.details.map(({ where, message }) =>
    fillErrorBody(items, { ...facts, message: `${where} ${message}` }),
  );
}

/** A text that is longer than its schema allows loses its end. */
function shortened(member: Shape, value: unknown): unknown {
  const longest = member.lowest('maxLength');
  return typeof value === 'string' && longest !== undefined ? [...value].slice(0, longest).join('') : value;
}

/** An enumeration of codes, say, may not include ours; the sample then stays. */
function accepts({ values }: Shape, value: unknown): boolean {
  return values === undefined || values.includes(value);
}

/** The reason phrases of error statuses (RFC 9110 §15, and the IANA registry of HTTP status codes). */
export const REASON_PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  511: 'Network Authentication Required',
};
