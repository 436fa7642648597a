import { atelierLookalikes, atelierMutants } from './suspects/atelier.ts';
import { authenticationMutants } from './suspects/authentication.ts';
import { callbacksLookalikes, callbacksMutants } from './suspects/callbacks.ts';
import { changesMutants } from './suspects/changes.ts';
import { conditionalLookalikes, conditionalMutants } from './suspects/conditional.ts';
import { documentsMutants } from './suspects/documents.ts';
import { familyLookalikes, familyMutants } from './suspects/families.ts';
import { formsLookalikes, formsMutants } from './suspects/forms.ts';
import { identityLookalikes, identityMutants } from './suspects/identity.ts';
import { leftOpenLookalikes } from './suspects/left-open.ts';
import { listsMutants } from './suspects/lists.ts';
import { loadLookalikes } from './suspects/load.ts';
import { nextPagesLookalikes, nextPagesMutants } from './suspects/next-pages.ts';
import { pagesLookalikes, pagesMutants } from './suspects/pages.ts';
import { queriesLookalikes, queriesMutants } from './suspects/queries.ts';
import { racesMutants } from './suspects/races.ts';
import { recordsLookalikes, recordsMutants } from './suspects/records.ts';
import { requestBodiesLookalikes, requestBodiesMutants } from './suspects/request-bodies.ts';
import { responsesMutants } from './suspects/responses.ts';
import { securityLookalikes, securityMutants } from './suspects/security.ts';
import { sequencesMutants } from './suspects/sequences.ts';
import { storedValuesMutants } from './suspects/stored-values.ts';
import { streamsLookalikes, streamsMutants } from './suspects/streams.ts';
import { uniqueLookalikes, uniqueMutants } from './suspects/unique.ts';
import { valuesLookalikes, valuesMutants } from './suspects/values.ts';
import { verbsLookalikes, verbsMutants } from './suspects/verbs.ts';
import { wireLookalikes, wireMutants } from './suspects/wire.ts';
import { writtenFormsLookalikes, writtenFormsMutants } from './suspects/written-forms.ts';
import { xmlLookalikes, xmlMutants } from './suspects/xml.ts';

/** By subject: what is wrong with the mutants, and how the lookalikes differ. Those that take longest come first. */
export const FAMILIES = {
  'requests at once': [racesMutants, loadLookalikes],
  'an order of requests': [sequencesMutants, []],
  'bytes and connections': [wireMutants, wireLookalikes],
  'documents of other forms, and what they are silent on': [documentsMutants, leftOpenLookalikes],
  'what names and words do not promise': [atelierMutants, atelierLookalikes],
  'callbacks that a service sends': [callbacksMutants, callbacksLookalikes],
  authentication: [authenticationMutants, []],
  'security schemes': [securityMutants, securityLookalikes],
  responses: [responsesMutants, []],
  'lists, limits and filters': [listsMutants, []],
  'pages, their sizes and totals': [pagesMutants, pagesLookalikes],
  'pages that name the next one': [nextPagesMutants, nextPagesLookalikes],
  'order, bounds and search of lists': [queriesMutants, queriesLookalikes],
  'ids and reads': [recordsMutants, recordsLookalikes],
  'stored values': [storedValuesMutants, []],
  'bodies of requests': [requestBodiesMutants, requestBodiesLookalikes],
  'forms, parts and texts': [formsMutants, formsLookalikes],
  'bodies in XML': [xmlMutants, xmlLookalikes],
  'changes and removals': [changesMutants, []],
  'read-only members, null, keywords': [valuesMutants, valuesLookalikes],
  'messages of streams': [streamsMutants, streamsLookalikes],
  'versions and conditions': [conditionalMutants, conditionalLookalikes],
  'values that no two records share': [uniqueMutants, uniqueLookalikes],
  'records that belong to others': [familyMutants, familyLookalikes],
  'which record is which': [identityMutants, identityLookalikes],
  'verbs in paths, and requests described alone': [verbsMutants, verbsLookalikes],
  'forms to write and forms to read': [writtenFormsMutants, writtenFormsLookalikes],
} as const;

export const MUTANTS = Object.values(FAMILIES).flatMap(([mutants]) => mutants);
export const LOOKALIKES = Object.values(FAMILIES).flatMap(([, lookalikes]) => lookalikes);
