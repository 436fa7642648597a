import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Pet } from './pet.ts';

/** A request as it came. */
export interface Ask {
  readonly method: string;
  /** Below the base path, percent-encoded: `/pets/7`. */
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

/** An answer as bytes. */
export interface Written {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The records, and how this shop goes about its work. */
export interface Shop {
  readonly does: Behaviour;
  readonly key: string;
  pets: Pet[];
}

/** All that a shop does. A fault replaces one of these and leaves the rest alone. */
export interface Behaviour {
  /** The records that it begins with. */
  readonly stock: () => Pet[];
  readonly answer: (ask: Ask, shop: Shop) => Answer | Promise<Answer>;

  /** Undefined: the request may pass. */
  readonly authenticate: (ask: Ask, shop: Shop) => Answer | undefined;
  readonly isKey: (presented: string, key: string) => boolean;

  readonly list: (ask: Ask, shop: Shop) => Answer;
  /** How many records are asked for; undefined: that is no page size. */
  readonly limitOf: (text: string | null) => number | undefined;
  readonly matches: (pet: Pet, status: string) => boolean;
  readonly page: (pets: readonly Pet[], limit: number, status: string | null) => readonly Pet[];

  readonly create: (ask: Ask, shop: Shop) => Answer | Promise<Answer>;
  /** What is wrong with a body; undefined: nothing. */
  readonly problemOf: (body: unknown) => string | undefined;
  readonly nextId: (shop: Shop) => unknown;
  /** From what was sent to what is kept. */
  readonly made: (sent: Readonly<Record<string, unknown>>, id: unknown) => Pet;
  readonly keep: (shop: Shop, pet: Pet) => void;
  readonly created: (pet: Pet, shop: Shop) => Answer;

  readonly read: (ask: Ask, shop: Shop) => Answer;
  /** The id in a path; undefined: that is no id. */
  readonly idOf: (text: string) => unknown;
  readonly find: (shop: Shop, id: unknown) => Pet | undefined;

  /** A record as it is shown. */
  readonly show: (pet: Pet) => unknown;
  readonly refuse: (status: number, message: string) => Answer;
  readonly write: (answer: Answer, ask: Ask) => Written;
  readonly send: (written: Written, response: ServerResponse, ask: Ask) => void | Promise<void>;
}
