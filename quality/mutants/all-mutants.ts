import { atelierMutants } from './faults/atelier.ts';
import { authenticationMutants } from './faults/authentication.ts';
import { changesMutants } from './faults/changes.ts';
import { conditionalMutants } from './faults/conditional.ts';
import { documentsMutants } from './faults/documents.ts';
import { formsMutants } from './faults/forms.ts';
import { filtersMutants, limitsMutants, listsMutants } from './faults/lists.ts';
import { nextPagesMutants } from './faults/next-pages.ts';
import { pageSizesMutants, pagesMutants } from './faults/pages.ts';
import { queriesMutants } from './faults/queries.ts';
import { racesInOtherDocuments, racesMutants } from './faults/races.ts';
import { idsMutants, pathIdsMutants, readsMutants } from './faults/records.ts';
import {
  acceptedBodiesMutants,
  refusedBodiesMutants,
  refusedValidBodiesMutants,
} from './faults/request-bodies.ts';
import { refusalsMutants, statusesMutants, successesMutants } from './faults/responses.ts';
import { securityMutants } from './faults/security.ts';
import { sequencesInOtherDocuments, sequencesMutants } from './faults/sequences.ts';
import { storedValuesMutants } from './faults/stored-values.ts';
import { uniqueMutants } from './faults/unique.ts';
import { valuesMutants } from './faults/values.ts';
import { connectionsMutants, wireMutants } from './faults/wire.ts';
import type { Mutant } from './suspect.ts';

/** By family: what is wrong. */
export const MUTANT_FAMILIES: Readonly<Record<string, readonly Mutant[]>> = {
  'members and shapes of responses': successesMutants,
  'statuses of responses': statusesMutants,
  'refusals of requests': refusalsMutants,
  authentication: authenticationMutants,
  lists: listsMutants,
  limits: limitsMutants,
  filters: filtersMutants,
  'page sizes': pageSizesMutants,
  'ids of new records': idsMutants,
  'stored values': storedValuesMutants,
  'invalid bodies that are accepted': acceptedBodiesMutants,
  'refusals of invalid bodies': refusedBodiesMutants,
  'valid bodies that are refused': refusedValidBodiesMutants,
  'ids in paths': pathIdsMutants,
  reads: readsMutants,
  'bytes on the wire': wireMutants,
  connections: connectionsMutants,
  'changes and removals': changesMutants,
  'documents of other forms': documentsMutants,
  'forms, parts and texts': formsMutants,
  'pages and totals': pagesMutants,
  'pages that name the next one': nextPagesMutants,
  'order, bounds and search of lists': queriesMutants,
  'read-only members, null, keywords': valuesMutants,
  'an order of requests': sequencesMutants,
  'requests at once': racesMutants,
  'an order or a moment, in other documents': [...sequencesInOtherDocuments, ...racesInOtherDocuments],
  'security schemes': securityMutants,
  'what names and words do not promise': atelierMutants,
  'versions and conditions': conditionalMutants,
  'values that no two records share': uniqueMutants,
};

export const MUTANTS: readonly Mutant[] = Object.values(MUTANT_FAMILIES).flat();
