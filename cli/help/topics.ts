import { CONFIGURATION_TOPIC } from './configuration.ts';
import { DOCUMENTS_TOPIC } from './documents.ts';
import { ENVIRONMENT_TOPIC } from './environment.ts';
import { EXIT_CODES_TOPIC } from './exit-codes.ts';
import { REPORTS_TOPIC } from './reports.ts';
import { SECURITY_TOPIC } from './security.ts';
import type { Topic } from './topic.ts';

/** The pages of `paddock help TOPIC`. */
export const TOPICS: readonly Topic[] = [
  CONFIGURATION_TOPIC,
  DOCUMENTS_TOPIC,
  ENVIRONMENT_TOPIC,
  EXIT_CODES_TOPIC,
  REPORTS_TOPIC,
  SECURITY_TOPIC,
];
