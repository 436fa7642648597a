import { atelierMutants } from './faults/atelier.ts';
import { authenticationMutants, unauthorizedResponsesMutants } from './faults/authentication.ts';
import { changesMutants } from './faults/changes.ts';
import { conditionalMutants } from './faults/conditional.ts';
import { otherDocumentsMutants, publicDocumentsMutants } from './faults/documents.ts';
import { familyMutants } from './faults/families.ts';
import { answersMutants, otherBodiesMutants, shelterMutants } from './faults/forms-and-views.ts';
import { leftOpenMutants } from './faults/left-open.ts';
import { filtersMutants, listsMutants, pageSizeMutants } from './faults/lists.ts';
import { nextPagesMutants } from './faults/next-pages.ts';
import { pagesMutants } from './faults/pages.ts';
import { queriesMutants } from './faults/queries.ts';
import { racesInOtherDocuments, racesMutants } from './faults/races.ts';
import {
  createdResponsesMutants,
  idsMutants,
  pathIdsMutants,
  readRecordsMutants,
  unknownRecordsMutants,
} from './faults/records.ts';
import {
  acceptedBodiesMutants,
  refusedBodiesMutants,
  refusedValidBodiesMutants,
} from './faults/request-bodies.ts';
import { securityMutants } from './faults/security.ts';
import { sequencesInOtherDocuments, sequencesMutants } from './faults/sequences.ts';
import { storedValuesMutants } from './faults/stored-values.ts';
import { uniqueMutants } from './faults/unique.ts';
import { valuesMutants } from './faults/values.ts';
import { connectionsMutants, wireMutants } from './faults/wire.ts';
import type { Mutant } from './suspect.ts';

/** By family: what is wrong. */
export const MUTANT_FAMILIES: Readonly<Record<string, readonly Mutant[]>> = {
  authentication: authenticationMutants,
  'responses with 401': unauthorizedResponsesMutants,
  'page sizes': pageSizeMutants,
  filters: filtersMutants,
  lists: listsMutants,
  'responses to creates': createdResponsesMutants,
  'ids of new records': idsMutants,
  'stored values': storedValuesMutants,
  'invalid bodies that are accepted': acceptedBodiesMutants,
  'refusals of invalid bodies': refusedBodiesMutants,
  'valid bodies that are refused': refusedValidBodiesMutants,
  'responses with 404': unknownRecordsMutants,
  'ids in paths': pathIdsMutants,
  reads: readRecordsMutants,
  'bytes on the wire': wireMutants,
  connections: connectionsMutants,
  'changes and removals': changesMutants,
  'documents of other forms': otherDocumentsMutants,
  'public documents': publicDocumentsMutants,
  'views and singletons': shelterMutants,
  'forms, parts and texts': otherBodiesMutants,
  'what documents are silent on': leftOpenMutants,
  'pages and totals': pagesMutants,
  'pages that name the next one': nextPagesMutants,
  'order, bounds and search of lists': queriesMutants,
  'read-only members, null, keywords': valuesMutants,
  'an order of requests': sequencesMutants,
  'requests at once': racesMutants,
  'an order or a moment, in other documents': [...sequencesInOtherDocuments, ...racesInOtherDocuments],
  'security schemes': securityMutants,
  'media types, unique members, examples': answersMutants,
  'what names and words do not promise': atelierMutants,
  'versions and conditions': conditionalMutants,
  'values that no two records share': uniqueMutants,
  'records that belong to others': familyMutants,
};

export const MUTANTS: readonly Mutant[] = Object.values(MUTANT_FAMILIES).flat();
