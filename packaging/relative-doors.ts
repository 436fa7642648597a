import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * Writes the doors (`#spec`) in declarations as relative paths: Node follows package.json's `imports` everywhere,
 * but not every reader of types does.
 */
export function writeRelativeDoors(out: string, doors: Readonly<Record<string, string>>): void {
  const declarations = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  );
  for (const file of declarations) {
    const text = readFileSync(join(out, file), 'utf8');
    const plain = text.replace(/(?<=from '|import\(['"])#[\w-]+(?=['"])/g, (door) => {
      const path = relative(dirname(file), doors[door] as string);
      return `./${path.split(sep).join('/')}`.replace(/^\.\/(?=\.\.)/, '');
    });
    if (plain !== text) writeFileSync(join(out, file), plain);
  }
}
