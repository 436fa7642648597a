import { test } from 'vitest';
import { expectRunsToHold } from './testing/beside-a-stranger.ts';

test('twenty runs in a row hold while somebody else writes', () => expectRunsToHold(20));
