/** How an examination ended; `skipped` says that nothing could be examined. */
export type Grade = 'good' | 'warning' | 'wrong' | 'skipped';

/** What is examined, in the order in which it is told. */
export const SUBJECTS = [
  'Node',
  'configuration',
  'environment',
  'document',
  'port',
  'target',
  'certificate',
  'base path',
  'key',
  'clock',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What one examination has found. No text holds a credential. */
export interface Remark {
  readonly subject: Subject;
  readonly grade: Grade;
  readonly found: string;
  /** What the user can do; undefined where nothing is to be done. */
  readonly remedy?: string;
}

/** Says the remarks of one subject. */
export function about(subject: Subject) {
  const say =
    (grade: Grade) =>
    (found: string, remedy?: string): Remark => ({ subject, grade, found, ...(remedy && { remedy }) });
  return { good: say('good'), warning: say('warning'), wrong: say('wrong'), skipped: say('skipped') };
}
