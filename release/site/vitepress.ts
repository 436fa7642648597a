import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installTools, NO_REGISTRY } from '../../quality/testing/temporary-tools.ts';

/** The part of VitePress that the site uses. It only builds pages, so it is not installed with the clone. */
interface VitePress {
  build(root: string, options: { readonly outDir: string; readonly base: string }): Promise<void>;
  createServer(root: string): Promise<{ listen(): Promise<unknown>; printUrls(): void }>;
}

/** @returns its `node_modules` folder; undefined: the registry cannot be reached */
export const installVitePress = () => installTools('site', ['vitepress@2.0.0-alpha.20']);

/** @throws Error if the registry cannot be reached */
export async function vitePressModules(): Promise<string> {
  const modules = await installVitePress();
  if (modules === undefined) throw new Error(NO_REGISTRY);
  return modules;
}

export async function loadVitePress(): Promise<VitePress> {
  return import(pathToFileURL(join(await vitePressModules(), 'vitepress/dist/node/index.js')).href);
}

/** The part of the Markdown parser for which the site adds rules. */
export interface MarkdownRenderer {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: State) => void): void };
  };
}

interface State {
  readonly tokens: Token[];
  readonly env: Page;
  readonly Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
}

interface Page {
  /** The path below docs/. */
  readonly relativePath: string;
}

export interface Token {
  type: string;
  tag: string;
  attrs: unknown;
  readonly nesting: -1 | 0 | 1;
  content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}
