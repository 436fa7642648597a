import { acceptedBodiesMutants } from './faults/accepted-bodies.ts';
import { answersMutants } from './faults/answers.ts';
import { authenticationMutants } from './faults/authentication.ts';
import { changesMutants } from './faults/changes.ts';
import { connectionsMutants } from './faults/connections.ts';
import { createdResponsesMutants } from './faults/created-responses.ts';
import { racesInOtherDocuments, racesMutants } from './faults/document-races.ts';
import { filtersMutants } from './faults/filters.ts';
import { idsMutants } from './faults/ids.ts';
import { leftOpenMutants } from './faults/left-open.ts';
import { listsMutants } from './faults/lists.ts';
import { otherBodiesMutants } from './faults/other-bodies.ts';
import { otherDocumentsMutants } from './faults/other-documents.ts';
import { pageSizeMutants } from './faults/page-size.ts';
import { pagesMutants } from './faults/pages.ts';
import { pathIdsMutants } from './faults/path-ids.ts';
import { publicDocumentsMutants } from './faults/public-documents.ts';
import { readRecordsMutants } from './faults/read-records.ts';
import { refusedBodiesMutants } from './faults/refused-bodies.ts';
import { refusedValidBodiesMutants } from './faults/refused-valid-bodies.ts';
import { securityMutants } from './faults/security.ts';
import { sequencesInOtherDocuments, sequencesMutants } from './faults/sequences.ts';
import { shelterMutants } from './faults/shelter.ts';
import { storedValuesMutants } from './faults/stored-values.ts';
import { unauthorizedResponsesMutants } from './faults/unauthorized-responses.ts';
import { unknownRecordsMutants } from './faults/unknown-records.ts';
import { valuesMutants } from './faults/values.ts';
import { wireMutants } from './faults/wire.ts';
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
  'read-only members, null, keywords': valuesMutants,
  'an order of requests': sequencesMutants,
  'requests at once': racesMutants,
  'an order or a moment, in other documents': [...sequencesInOtherDocuments, ...racesInOtherDocuments],
  'security schemes': securityMutants,
  'media types, unique members, examples': answersMutants,
};

export const MUTANTS: readonly Mutant[] = Object.values(MUTANT_FAMILIES).flat();
