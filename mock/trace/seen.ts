import {
  type Contract,
  type Operation,
  type Parameter,
  placeOf,
  type RouteMatch,
  type Spot,
  showPlace,
} from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import type { Find } from '../engine/find.ts';
import type { compileUsedSchemes, Keys } from '../http/authenticate.ts';
import type { Tokens } from '../http/tokens.ts';
import type { Standing } from '../records/standing.ts';
import type { JournalEntry } from '../sessions/journal.ts';
import type { Decided } from '../sessions/preferences/decided.ts';
import type { RuledRequest } from '../sessions/preferences/match.ts';
import type { Preference } from '../sessions/preferences/preference.ts';

/** What a document and the mock of it say of exchanges. */
export interface TraceContext {
  readonly contract: Pick<Contract, 'operations' | 'validators' | 'resources'>;
  readonly find: Find;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly standing: () => Standing;
  /** Redacts credentials in a text of an exchange. */
  readonly redactSent: (request: JournalEntry['request']) => (text: string) => string;
}

/** The same, compiled. */
export interface Context extends Omit<TraceContext, 'keys'> {
  readonly cookie: Keys['cookie'];
  readonly usedSchemesOf: (operation: Operation) => ReturnType<typeof compileUsedSchemes>;
  /** The members of a body that the record made of it does not have. */
  readonly unkeptOf: (endpoint: Endpoint) => (body: unknown) => readonly (readonly string[])[];
  /** The parameters that have no effect. */
  readonly idleOf: (endpoint: Endpoint) => readonly Parameter[];
}

/** What is known of an exchange again, after it. */
export interface Seen {
  readonly entry: JournalEntry;
  readonly match: RouteMatch<Endpoint> | undefined;
  /** Undefined: the request matches no operation, or one that the document does not have any more. */
  readonly endpoint: Endpoint | undefined;
  readonly decided: Decided;
  /** Undefined: the request was not read. */
  readonly ruled: RuledRequest | undefined;
  /** Undefined: it has none that is possible. */
  readonly preference: Preference | undefined;
}

export const lineOf = (spot: Spot) => showPlace(placeOf(spot));

export const isOfUpstream = ({ response }: JournalEntry) => response.source?.startsWith('upstream') === true;
