import { describe, expect, test } from 'vitest';
import {
  eachOf,
  keepRemoved,
  listQuery,
  type MockFault,
  mockOf,
  response,
  responseBody,
  storedMember,
} from '../quality/mutants/mock-faults.ts';
import { convert } from '../quality/mutants/record-changes.ts';
import type { Service } from '../quality/mutants/suspect.ts';
import type { Report } from './report/report.ts';
import { reportOf } from './testing/report-on.ts';

/** So often each service is checked with each number of jobs; started anew each time. */
const RERUNS = 2;
const JOBS = [1, 4, 8];

/** One fault of each kind. */
const SERVICES: readonly [fault: string, service: Service<MockFault>, fault: () => MockFault][] = [
  [
    'a member of listed records has another type',
    mockOf('warehouse.yaml'),
    () => responseBody('list', eachOf('articles', convert('price', String))),
  ],
  [
    'a member is stored with another value',
    mockOf('tide-gauges.yaml'),
    () => storedMember('latitude', Math.round),
  ],
  ['the page size is ignored', mockOf('warehouse.yaml'), () => listQuery(() => ({ limit: 1e9 }))],
  [
    'one operation of several has another status',
    mockOf('libraries.yaml'),
    () => response('replace', (given) => ({ ...given, status: 201 })),
  ],
  ['removed records stay, below their parents as well', mockOf('libraries.yaml'), () => keepRemoved],
];

async function checkOnce(service: Service<MockFault>, fault: MockFault, jobs: number): Promise<Report> {
  const { document, options } = service;
  const { url: target, apiKey, close } = await service.start(fault);
  try {
    return await reportOf({ target, apiKey, document, settle: 100, examples: 5, ...options, jobs });
  } finally {
    await close();
  }
}

/** What users compare: verdict, exit code and the keys of the findings. */
function compared({ verdict, exitCode, findings }: Report) {
  return { verdict, exitCode, keys: [...new Set(findings.map(({ key }) => key))].sort() };
}

describe.for(SERVICES)('%s', ([, service, fault]) => {
  test(`${RERUNS} reruns with each of ${JOBS.join(', ')} jobs find the same`, async () => {
    const first = compared(await checkOnce(service, fault(), 1));
    expect(first).toMatchObject({ verdict: 'broken', exitCode: 1 });
    for (const jobs of JOBS) {
      for (let rerun = 0; rerun < RERUNS; rerun++)
        expect({ jobs, rerun, ...compared(await checkOnce(service, fault(), jobs)) }).toEqual({
          jobs,
          rerun,
          ...first,
        });
    }
  });
});
