import type { LawName } from '../../../contract-tests/laws/law.ts';
import { DIFFERENCES } from '../freight/differences.ts';
import { INPUT_FAULTS } from '../freight/input-faults.ts';
import { LISTS_FAULTS } from '../freight/lists-faults.ts';
import { company } from '../freight/primitives.ts';
import { RECORDS_FAULTS } from '../freight/records-faults.ts';
import { STATES_FAULTS } from '../freight/states-faults.ts';
import { lookalikes, mutants } from '../suspect.ts';

const FREIGHT_FAULTS = { ...INPUT_FAULTS, ...STATES_FAULTS, ...LISTS_FAULTS, ...RECORDS_FAULTS };

/** The rule that finds each. */
const FOUND: Partial<Record<LawName, string>> = {
  action: 'no-delivered-at refused-changed pay-200-open revoke-not-shown revoke-not-kept delete-booked',
  'apart-by-parent': 'parcel-of-other parcels-of-all',
  bounds: 'gte-excludes both-bounds',
  'complete-pages':
    'before-first before-ignored before-reversed always-more never-more more-at-full before-more',
  'content-type': 'label-html invoice-json csv-json',
  'created-can-be-read': 'carrier-409-dropped',
  'created-equals-sent': 'metadata-lost seals-lost local-ready local-pickup locker-is-depot terminal-of-any',
  'created-is-listed': 'to-excludes',
  default:
    'new-is-booked currency-default country-default service-default insured-default active-default fragile-default',
  'distinct-pages': 'after-itself',
  'ended-key': 'revoked-works expired-works',
  'error-pointer': 'pointer-other pointer-dotted',
  'error-status': 'problem-status',
  filter: 'one-status not-ignored not-only not-insured carrier-ignored',
  'head-as-get': 'head-other-tag',
  header: 'head-no-tag allow allow-none no-deprecation deprecation-true sunset-iso sunset-first',
  'invalid-tolerated': 'no-406',
  'invalid-refused':
    'four-dimensions metadata-names metadata-values place-without-address place-without-depot_code ' +
    'locker-pin group-alone technical-alone no-duties place-without-locker_id service-names ' +
    'service-values no-dispatcher seals-names route-of-any long-route seals-values any-terminal ' +
    'no-terminal',
  'key-once': 'key-ignored key-ignored-invoice key-other-body key-other-made key-made-twice',
  numbers: 'total-lacks-line quote-total quote-insurance manifest-count',
  'page-default': 'limit-default',
  'read-as-put': 'text-trimmed text-cut text-lost photo-lost photo-text photo-of-all',
  job: 'job-never-ends job-no-result job-count job-no-error job-bad-succeeds job-location',
  results: 'batch-short batch-reversed batch-refused-stored batch-index batch-whole batch-one',
  search: 'search-case search-start search-all',
  'shown-once': 'key-secret-read key-secret-revoked endpoint-secret-read endpoint-secret-listed',
  status:
    'dispatch-draft book-cancelled book-twice deliver-booked cancel-delivered book-shown-only ' +
    'deliver-other update-booked delete-booked-204 key-409 shipment-any-carrier driver-any-carrier ' +
    'manifest-any manifest-first driver-500 carrier-dropped head-never dispatch-never ' +
    'cancel-booked-not pay-twice job-made-none batch-not-stored pay-refused-500 two-refused offset-refused ' +
    'driver-404 new-key-refused',
  tallies:
    'parcels-not-counted all-parcels-counted count-one-off by-status weights invoice-count invoice-total ' +
    'invoice-state',
  'table-as-list': 'csv-short csv-order csv-unquoted',
  'unknown-id': 'parcel-removed-of-other head-always',
  'whole-json': 'csv-type',
};
const lawsOf = (name: string) =>
  Object.entries(FOUND).flatMap(([law, names]) =>
    names.split(/\s+/).includes(name) ? [law as LawName] : [],
  );

export const freightSuspects = {
  'what companies document': [
    mutants(
      'freight',
      { ...company, options: { strict: ['presumed', 'statuses'] } },
      'status',
      Object.fromEntries(
        Object.entries(FREIGHT_FAULTS).map(([name, [says, fault]]) => [name, [says, lawsOf(name), fault]]),
      ),
    ),
    lookalikes('freight', company, DIFFERENCES),
  ],
} as const;
