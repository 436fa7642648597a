import { isEnglish, plainLetters, plainNoun, type Subject, shared, sharedRandom } from './subject.ts';

export interface Person {
  readonly sex: 'female' | 'male';
  readonly first: string;
  readonly last: string;
}

/** Names that are common in real data and break clients, by kind. */
const DIFFICULT: readonly (readonly string[])[] = [
  ["D'Artagnan", "Ma'alin"],
  ['Zoë', 'Łukasz', 'Nguyễn Thị Ánh', 'Ŋũgĩ', 'Ağaoğlu'],
  ['Ελένη', 'Дмитрий', 'Անահիտ', 'नेहा', 'ใบเตย'],
  ['さくら', '小花', '하늘'],
  ['שָׂרָה', 'محمد الأمين'],
  ['O’Malley', 'Momo 🐾', 'Tom & "Jerry"', '<b>Bo</b>', 'Llanfairpwllgwyn'],
];
const SHARE = 0.12;

/** One name in eight is a difficult one; other languages have enough unusual letters anyway. */
export function difficultName(of: Pick<Subject, 'owner' | 'qualifier' | 'library'>): string | undefined {
  if (!isEnglish(of)) return undefined;
  const random = sharedRandom(of, 'difficult');
  return random.next() < SHARE ? random.pick(random.pick(DIFFICULT)) : undefined;
}

/** The person of an object, the same for each of its members. */
export function personOf(subject: Subject): Person {
  const faker = shared(subject, 'person');
  const sex = faker.datatype.boolean() ? 'female' : 'male';
  const [first, last] = [faker.person.firstName(sex), faker.person.lastName(sex)];
  return { sex, first: difficultName(subject) ?? first, last };
}

/** A user name in ASCII. Faker writes letters that it cannot spell as code points: then a noun is used. */
export function userName(subject: Subject): string {
  const { first, last } = personOf(subject);
  const [firstName = '', lastName = ''] = [first, last].map((name) =>
    plainLetters(name, subject.library.language).replace(/[^\p{L}\p{N}]/gu, ''),
  );
  const random = sharedRandom(subject, 'user name');
  const name = subject.library.from(random).internet.username({ firstName, lastName }).toLowerCase();
  return /\d(?!\d?$)/.test(name) ? plainNoun(random) + random.integer(10, 99) : name;
}

const FAMILY_FIRST: ReadonlySet<string> = new Set(['hu', 'ja', 'ko', 'vi', 'zh']);

export function fullName(subject: Subject): string {
  const { first, last } = personOf(subject);
  const [language = ''] = subject.library.language.split('-');
  const isJoined = language === 'ko' || language === 'zh';
  return (FAMILY_FIRST.has(language) ? [last, first] : [first, last]).join(isJoined ? '' : ' ');
}
