import { test } from 'vitest';
import { expectRunsToHold } from './testing/start-stranger.ts';

test('twenty runs in a row hold while somebody else writes', () => expectRunsToHold(20));
