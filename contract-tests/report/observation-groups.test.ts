import { expect, test } from 'vitest';
import { reportOn } from '../testing/report-on.ts';
import { groupObservations } from './summary.ts';
import { renderTerminal } from './terminal.ts';

const about = (operationId: string, text: string, question?: string, answer?: string) => ({
  caseId: `${operationId}/200/a`,
  operationId,
  text,
  ...(question !== undefined && { question }),
  ...(answer !== undefined && { answer }),
});

test('observations that answer one question of an operation are one line, with each answer counted', () => {
  const groups = groupObservations([
    about('read', 'a word: 404', 'a malformed id', '404'),
    about('read', 'a fraction: 400', 'a malformed id', '400'),
    about('list', 'a word: 404', 'a malformed id', '404'),
    about('read', 'a space: 404', 'a malformed id', '404'),
    about('read', 'the list is empty'),
    about('list', 'no record'),
    about('list', 'no record'),
  ]);
  expect(groups).toEqual([
    { operationId: 'read', text: 'a malformed id: 404 (2 cases), 400 (1 case), such as a word: 404' },
    { operationId: 'list', text: 'a word: 404' },
    { operationId: 'read', text: 'the list is empty' },
    { operationId: 'list', text: 'no record (2 cases)' },
  ]);
});

test('a report tells of malformed ids in one line, and its data keeps each of them', async () => {
  const report = await reportOn({}, { only: 'getPet/404' });
  expect(report.notSpecified.filter(({ question }) => question === 'a malformed petId')).toHaveLength(8);
  expect(renderTerminal(report, false).match(/a malformed petId/g)).toHaveLength(1);
});
