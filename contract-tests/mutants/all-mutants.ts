import * as acceptedBodies from './faults/accepted-bodies.ts';
import * as authentication from './faults/authentication.ts';
import * as changes from './faults/changes.ts';
import * as connections from './faults/connections.ts';
import * as createdResponses from './faults/created-responses.ts';
import * as filters from './faults/filters.ts';
import * as ids from './faults/ids.ts';
import * as lists from './faults/lists.ts';
import * as otherDocuments from './faults/other-documents.ts';
import * as pageSize from './faults/page-size.ts';
import * as pathIds from './faults/path-ids.ts';
import * as readRecords from './faults/read-records.ts';
import * as refusedBodies from './faults/refused-bodies.ts';
import * as refusedValidBodies from './faults/refused-valid-bodies.ts';
import * as storedValues from './faults/stored-values.ts';
import * as unauthorizedResponses from './faults/unauthorized-responses.ts';
import * as unknownRecords from './faults/unknown-records.ts';
import * as wire from './faults/wire.ts';
import type { Mutant } from './suspect.ts';

/** The mutants of each file: whatever such a file exports is a table of them. */
export const MUTANT_TABLES = [
  authentication,
  unauthorizedResponses,
  pageSize,
  filters,
  lists,
  createdResponses,
  ids,
  storedValues,
  acceptedBodies,
  refusedBodies,
  refusedValidBodies,
  unknownRecords,
  pathIds,
  readRecords,
  wire,
  connections,
  changes,
  otherDocuments,
].map((file) => Object.values<Mutant[]>(file).flat());

export const MUTANTS: readonly Mutant[] = MUTANT_TABLES.flat();
