import type { Comparison } from './compare-collections.ts';
import { markdownTable, percent } from './markdown-table.ts';
import type { Measured } from './measure-collections.ts';

/** The page of a measurement: figures of all documents together, a row for each, and what was missed or falsely found. */
export function renderCollections(measured: readonly Measured[]): string {
  const compared = measured.flatMap((one) => ('refused' in one ? [] : one));
  const refused = measured.flatMap((one) => ('refused' in one ? one : []));
  const total = (count: (one: Comparison) => number) => compared.reduce((sum, one) => sum + count(one), 0);
  const named = total((one) => one.named);
  const found = total((one) => one.found.length);
  const recognised = total((one) => one.recognised);
  const right = recognised - total(wrong);
  const [same, any] = [total((one) => one.sameRole), total((one) => one.anyRole)];
  const parts = [
    '# Collections that are recognised',
    '`npm run corpus -- --collections FOLDER|PACKAGE...` holds what Paddock recognises in public documents against the collections that a person names from the same documents (`quality/corpus/collections.yaml`, which says how). It wrote this page.',
    `**${compared.length} documents, ${named} collections: ${found} found (recall ${percent(found, named)}); ${recognised} recognised, of which ${right} are collections (precision ${percent(right, recognised)}). Of ${any} operations with a role, ${same} have the same one on both sides (${percent(same, any)}).**`,
    'A collection is found if one of Paddock’s has its list or its read operation, and no operation of another collection. What Paddock recognises is none if it has no operation of any collection or singleton, or those of several. One collection in several parts is found, and each of its parts counts as right.',
    markdownTable(
      ['Document', 'Named', 'Found', 'Missed', 'Recognised', 'Falsely found', 'Mixed', 'Same role'],
      compared.map((one) => [
        one.document,
        ...[one.named, one.found.length, one.missed.length, one.recognised].map(String),
        ...[one.falselyFound.length, one.mixed.length].map(String),
        `${one.sameRole} of ${one.anyRole}`,
      ]),
    ),
    ...listed('Missed', compared, ({ missed }) => missed),
    ...listed('Falsely found', compared, ({ falselyFound }) => falselyFound),
    ...listed('Mixed', compared, ({ mixed }) => mixed),
    ...listed('Other roles', compared, ({ otherRoles }) => otherRoles),
    ...(refused.length === 0 ? [] : ['## Refused', ...refused.map((one) => `- ${one.document}`)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const wrong = ({ falselyFound, mixed }: Comparison) => falselyFound.length + mixed.length;

function listed(
  title: string,
  compared: readonly Comparison[],
  itemsOf: (one: Comparison) => readonly string[],
): string[] {
  const rows = compared.flatMap((one) => itemsOf(one).map((item) => [one.document, item]));
  return rows.length === 0 ? [] : [`## ${title}`, markdownTable(['Document', title], rows)];
}
