export type Path = readonly string[];

/** What the bodies of a create begin with. */
export type Base =
  /** All members that the schema of the body has. */
  | 'all members'
  | 'required members'
  /** What the document shows. */
  | 'the example'
  /** What the user has given: `--body`. */
  | 'the file of --body';

/** How the bodies of a create are made: what the target has refused so far says what is done otherwise. */
export interface Recipe {
  readonly base: Base;
  /** Each body has other values, in all members whose values are made up. */
  readonly varies: boolean;
  /** Dates lie ahead, those that begin something before those that end it. */
  readonly ahead: boolean;
  /** Members that are left out. */
  readonly without: readonly Path[];
  /** Members that are there, with values of their own. */
  readonly values: readonly Replacement[];
}

export interface Replacement {
  readonly path: Path;
  /** In the member that bears the mark, the form of its text. */
  readonly value: unknown;
}

/** What has become of the tries to make the first record. */
export interface Climbed {
  /** How all further ones are made; undefined: the target has taken none. */
  readonly recipe?: Recipe | undefined;
  /** What was tried, and what the target answered: a line each. */
  readonly refusals: readonly string[];
}
