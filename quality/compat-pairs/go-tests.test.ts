import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testPairs } from './go-tests.ts';

const HELPERS = `var (
	stabilityFile = dataFileFn("stability")
)
func helper() { open("../data/none.yaml") }
`;
const TESTS = `func TestOne(t *testing.T) {
	s1, err := open("../data/checker/old.yaml")
	s2, err := open("../data/checker/new.yaml")
	require.Equal(t, load.NewSource("../data/checker/new.yaml"), source)
}
func TestTwo(t *testing.T) {
	s1, err := open(stabilityFile("old.yaml"))
	s2, err := open(stabilityFile("new.yaml"))
	s3 := l(t, 1)
	s4 := l(t, 3)
}
func TestAgain(t *testing.T) {
	s1, err := open("../data/checker/old.yaml")
	s2, err := open("../data/checker/new.yaml")
	changes := d(t, config, 7, 8)
}
`;

test('the pairs of documents that Go tests open, each once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'go-tests-'));
  await mkdir(join(folder, 'checker'));
  await writeFile(join(folder, 'checker', 'helpers_test.go'), HELPERS);
  await writeFile(join(folder, 'checker', 'one_test.go'), TESTS);
  const pairs = await testPairs(folder);
  const named = pairs.map(({ test, old, new: next }) =>
    [test, old, next].join(' ').replaceAll(`${folder}/data/`, ''),
  );
  expect(named).toEqual([
    'TestOne checker/old.yaml checker/new.yaml',
    'TestTwo stability/old.yaml stability/new.yaml',
    'TestTwo openapi-test1.yaml openapi-test3.yaml',
    'TestAgain openapi-test7.yaml openapi-test8.yaml',
  ]);
});
