import { join } from 'node:path';
import { API, type Checker, type Symbol as Declared, SymbolFlags, type Type } from 'typescript/unstable/sync';
import { ROOT } from '../../../quality/testing/command.ts';
import { nameOf } from './entries.ts';
import { withEnumerationNames } from './enumeration-names.ts';

type Entry = readonly [name: string, form: string];

/** What types are printed with: whole, and an alias by what it stands for. */
const WHOLE = 1;
const INSIDE_ALIAS = 2 ** 23;
/** Two texts at least, as in `"a" | "b"`. */
const LITERALS = /^"[^"]*"(?: \| "[^"]*")+$/;

/**
 * What the entry points export, by the compiler that also writes the declarations: functions and values with their types,
 * and the members of each type. Of what is tagged `@experimental`, only that.
 * @param entryPoints the `exports` of package.json
 */
export function exportEntries(packageName: string, entryPoints: Readonly<Record<string, string>>): Entry[] {
  const api = new API({ cwd: ROOT });
  try {
    const configuration = join(ROOT, 'release/packaging/tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration);
    if (!project) throw new Error(`${configuration} could not be read`);
    const { program, checker } = project;
    const found = Object.entries(entryPoints).flatMap(([path, file]) => {
      const source = program.getSourceFile(join(ROOT, file));
      const module = source && checker.getSymbolAtLocation(source);
      if (!module) throw new Error(`${file} is not part of release/packaging/tsconfig.json`);
      const entryPoint = path.replace('.', packageName);
      const inside = checker.getExportsOfModule(module).flatMap((one) => entriesOf(one, entryPoint, checker));
      return [[entryPoint, ''] as const, ...inside];
    });
    return withEnumerationNames(found);
  } finally {
    api.close();
  }
}

function entriesOf(exported: Declared, entryPoint: string, checker: Checker): Entry[] {
  const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const name = nameOf(entryPoint, exported.name);
  if (isExperimental(symbol, checker)) return [[name, 'experimental']];
  const { flags } = symbol;
  if (flags & SymbolFlags.Class)
    return [[name, 'class'], ...members(checker.getDeclaredTypeOfSymbol(symbol), name, checker)];
  if (flags & SymbolFlags.Interface)
    return [[name, 'interface'], ...members(checker.getDeclaredTypeOfSymbol(symbol), name, checker)];
  if (flags & SymbolFlags.TypeAlias) return aliasEntries(symbol, name, checker);
  const type = checker.getTypeOfSymbol(symbol);
  if (!type) throw new Error(`${name} has no type`);
  if (!(flags & SymbolFlags.Function) && isTable(type, checker))
    return [[name, 'table'], ...members(type, name, checker)];
  return [[name, checker.typeToString(type, undefined, WHOLE)]];
}

function aliasEntries(symbol: Declared, name: string, checker: Checker): Entry[] {
  const text = checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), undefined, WHOLE | INSIDE_ALIAS);
  if (!LITERALS.test(text)) return [[name, text]];
  const values = text.split(' | ').map((value): Entry => [nameOf(name, String(JSON.parse(value))), '']);
  return [[name, 'one of'], ...values];
}

/** An object with members that the code names, such as that of all laws. */
function isTable(type: Type, checker: Checker): boolean {
  return checker.typeToString(type, undefined, WHOLE).startsWith('{');
}

function members(type: Type, owner: string, checker: Checker): Entry[] {
  return checker.getPropertiesOfType(type).map((member) => {
    const memberType = checker.getTypeOfSymbol(member);
    const optional = member.flags & SymbolFlags.Optional ? 'optional ' : '';
    const text = memberType ? checker.typeToString(memberType, undefined, WHOLE) : 'any';
    const form = isExperimental(member, checker) ? 'experimental' : optional + text;
    return [nameOf(owner, member.name), form];
  });
}

function isExperimental(symbol: Declared, checker: Checker): boolean {
  return checker.getJsDocTagsOfSymbol(symbol).some(({ name }) => name === 'experimental');
}
