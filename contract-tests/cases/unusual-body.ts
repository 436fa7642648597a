import type { Operation, Resource, Shape } from '#spec';
import { inRecord, isValidBody } from '../arrange/record-members.ts';
import { followCreation } from '../arrange/requests.ts';
import { tryCreate } from '../arrange/target.ts';
import { shorten } from '../laws/compare-records.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { markMember, recordInBody } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

type Data = Readonly<Record<string, unknown>>;
type Unusual = [slug: string, title: string, change: (body: Data, mark: string | undefined) => Data];

/**
 * Bodies that the schema allows, and that no ordinary client sends: a service may refuse them with a 4xx, which
 * nobody promised. What it takes, it takes as it is; and it never breaks.
 */
export const unusualBodies: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create } = resource.actions;
    const success = create && successStatuses(create)[0];
    const shape = create && recordInBody(resource, create).shape;
    if (!create || success === undefined || !shape) return [];
    return [...unusualTexts(shape, settings.onLoopback), ...unusualIntegers(shape)].map((unusual) =>
      takenAsItIs(resource, create, success, unusual),
    );
  });

function unusualTexts(shape: Shape, unmarked: boolean): Unusual[] {
  const member = markMember(shape);
  if (member === undefined) return [];
  const texts: [slug: string, title: string, text: (mark: string) => string][] = [
    ['spaces', 'spaces at both ends', (mark) => `  ${mark} `],
    ['decomposed', 'a decomposed letter (NFD)', (mark) => `Zoe\u0308 ${mark}`],
    ['long', '1000 characters', (mark) => `${mark} `.padEnd(1000, 'paddock')],
    ['lines', 'a line break and a tab', (mark) => `a\n\tb ${mark}`],
    ['nul', 'the character U+0000', (mark) => `a\0b ${mark}`],
  ];
  // It has no room for the run's mark.
  if (unmarked) texts.push(['empty', 'no character', () => '']);
  return texts.map(([slug, title, text]) => [
    `text-${slug}`,
    `${title} in ${member}`,
    (body, mark) => ({ ...body, [member]: text(mark ?? '') }),
  ]);
}

function unusualIntegers(shape: Shape): Unusual[] {
  return [...shape.properties].flatMap(([name, member]) => {
    if (member.mainType !== 'integer' || member.readOnly || member.values) return [];
    const { high } = member.range;
    const values: [string, unknown][] = [
      ['zero', 0],
      ['negative', -1],
      ...(high ? [['greatest', high.value] as [string, unknown]] : []),
    ];
    return values.map(
      ([slug, value]): Unusual => [
        `${slugOf(name)}-${slug}`,
        `${name} ${value}`,
        (body) => ({ ...body, [name]: value }),
      ],
    );
  });
}

function takenAsItIs(
  resource: Resource,
  create: Operation,
  success: number,
  [slug, what, change]: Unusual,
): Case {
  const title = `a body with ${what} is stored as it is, or refused`;
  const edit = inRecord(resource, create, change);
  return makeCase(create, success, slug, title, async (trial) => {
    let valid = true;
    const creation = await tryCreate(trial, resource, {
      expect: 'success or 4xx',
      change(body, mark) {
        const changed = edit(body, mark);
        valid = isValidBody(trial, create, changed);
        // Where the schema does not allow it, the ordinary body goes in its place.
        return valid ? changed : body;
      },
    });
    if (!valid) trial.notice(`${shorten(what)} is not allowed here`);
    if (!creation.sound) return;
    if (creation.response.status === success) await followCreation(trial, resource, creation);
    else {
      const about = { question: 'a value that few clients send', answer: `${creation.response.status}` };
      trial.leaveOpen(`${what}: ${describeStatus(creation.response)}`, about);
    }
  });
}
