import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Pet } from './pet.ts';

/** A received request. */
export interface Ask {
  readonly method: string;
  /** Without the base path, percent-encoded: `/pets/7`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly socket: Socket;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written as JSON; undefined: no body. */
  readonly body?: unknown;
}

/** A response in bytes. */
export interface Written {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The records and the behaviour of a shop. */
export interface Shop {
  readonly does: Behaviour;
  readonly key: string;
  pets: Pet[];
}

/** Everything that a shop does. A fault replaces one member and keeps the others. */
export interface Behaviour {
  /** The initial records. */
  readonly stock: () => Pet[];
  readonly answer: (ask: Ask, shop: Shop) => Answer | Promise<Answer>;

  /** Undefined: the request is authorised. */
  readonly authenticate: (ask: Ask, shop: Shop) => Answer | undefined;
  readonly isKey: (presented: string, key: string) => boolean;

  readonly list: (ask: Ask, shop: Shop) => Answer;
  /** The requested number of records; undefined: the text is not a valid page size. */
  readonly limitOf: (text: string | null) => number | undefined;
  readonly matches: (pet: Pet, status: string) => boolean;
  readonly page: (pets: readonly Pet[], limit: number, status: string | null) => readonly Pet[];

  readonly create: (ask: Ask, shop: Shop) => Answer | Promise<Answer>;
  /** The problem with a body; undefined if it is valid. */
  readonly problemOf: (body: unknown) => string | undefined;
  readonly nextId: (shop: Shop) => unknown;
  /** Converts a request to the record to store. */
  readonly made: (sent: Readonly<Record<string, unknown>>, id: unknown) => Pet;
  readonly keep: (shop: Shop, pet: Pet) => void;
  readonly created: (pet: Pet, shop: Shop) => Answer;

  readonly read: (ask: Ask, shop: Shop) => Answer;
  /** The id in a path; undefined if it is not a valid id. */
  readonly idOf: (text: string) => unknown;
  readonly find: (shop: Shop, id: unknown) => Pet | undefined;

  /** The representation of a record in responses. */
  readonly show: (pet: Pet) => unknown;
  readonly refuse: (status: number, message: string) => Answer;
  readonly write: (answer: Answer, ask: Ask) => Written;
  readonly send: (written: Written, response: ServerResponse, ask: Ask) => void | Promise<void>;
}
