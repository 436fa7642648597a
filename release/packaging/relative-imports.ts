import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * Replaces subpath imports (`#spec`) in declarations by relative paths: Node resolves package.json's `imports`
 * everywhere, but not every tool that reads types does.
 */
export function writeRelativeImports(out: string, imports: Readonly<Record<string, string>>): void {
  const declarations = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  );
  for (const file of declarations) {
    const text = readFileSync(join(out, file), 'utf8');
    const plain = text.replace(/(?<=from '|import '|import\(['"])#[\w-]+(?=['"])/g, (name) => {
      const path = relative(dirname(file), imports[name] as string);
      return `./${path.split(sep).join('/')}`.replace(/^\.\/(?=\.\.)/, '');
    });
    if (plain !== text) writeFileSync(join(out, file), plain);
  }
}
