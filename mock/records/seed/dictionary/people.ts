import { localPlaces } from './local-places.ts';
import {
  isEnglish,
  type Make,
  own,
  type Subject,
  shared,
  sharedRandom,
  slugOf,
  type Words,
} from './subject.ts';
import { tongueOf } from './tongues.ts';

interface Person {
  readonly sex: 'female' | 'male';
  readonly first: string;
  readonly last: string;
}

/** Names as real data has them and clients fail on, by kind. */
const DIFFICULT: readonly (readonly string[])[] = [
  ["D'Artagnan", "Ma'alin"],
  ['Zoë', 'Łukasz', 'Nguyễn Thị Ánh', 'Ŋũgĩ', 'Ağaoğlu'],
  ['Ελένη', 'Дмитрий', 'Անահիտ', 'नेहा', 'ใบเตย'],
  ['さくら', '小花', '하늘'],
  ['שָׂרָה', 'محمد الأمين'],
  ['O’Malley', 'Momo 🐾', 'Tom & "Jerry"', '<b>Bo</b>', 'Wolfeschlegelsteinhausenbergerdorff'],
];
const SHARE = 0.12;

/** One name in eight is one that clients fail on. */
export function difficultName(of: Pick<Subject, 'owner' | 'qualifier' | 'library'>): string | undefined {
  // Other languages have letters enough that clients fail on.
  if (!isEnglish(of)) return undefined;
  const random = sharedRandom(of, 'difficult');
  return random.next() < SHARE ? random.pick(random.pick(DIFFICULT)) : undefined;
}

/** The person that an object is about, the same for each of its members. */
function personOf(subject: Subject): Person {
  const faker = shared(subject, 'person');
  const sex = faker.datatype.boolean() ? 'female' : 'male';
  const [first, last] = [faker.person.firstName(sex), faker.person.lastName(sex)];
  return { sex, first: difficultName(subject) ?? first, last };
}

/** Of people whose script says nothing of how it is spoken. */
const HANDLES = ['cloud', 'comet', 'falcon', 'harbor', 'maple', 'pixel', 'river', 'sky', 'stone', 'willow'];

function userName(subject: Subject): string {
  const { first, last } = personOf(subject);
  const name = [first, last]
    .map((part) => slugOf(part, '.', subject.library.language))
    .filter((part) => part !== '');
  const number = sharedRandom(subject, 'user name').integer(1, 99);
  if (name.length === 2) return name.join('.');
  const handle = isEnglish(subject) ? 'user' : sharedRandom(subject, 'handle').pick(HANDLES);
  return `${name[0] ?? handle}${number}`;
}

export const fullName: Make = (subject) => {
  const { first, last } = personOf(subject);
  const [language = ''] = subject.library.language.split('-');
  if (language === 'ko' || language === 'zh') return `${last}${first}`;
  return FAMILY_FIRST.has(language) ? `${last} ${first}` : `${first} ${last}`;
};

const FAMILY_FIRST: ReadonlySet<string> = new Set(['hu', 'ja', 'vi']);

/** As people there write it, or English where faker knows parts of it alone. */
function phoneNumber(subject: Subject): string {
  const { language } = subject.library;
  const { phones } = localPlaces(language) ?? {};
  if (!phones)
    return shared(subject, 'phone').phone.number({ style: language === 'en' ? 'international' : 'national' });
  const random = sharedRandom(subject, 'phone');
  return random.pick(phones).replaceAll('#', () => String(random.integer(2, 9)));
}

/** A title whose words are of two scripts is of no language: then what kind of work it is. */
const jobTitle: Make = (subject) => {
  const { person } = shared(subject, 'job');
  const title = person.jobTitle();
  return isMixed(title) ? person.jobType() : title;
};

/** Whether a text has Latin letters and others. */
export const isMixed = (text: string) =>
  /\p{Script=Latin}/u.test(text) && /(?!\p{Script=Latin})\p{L}/u.test(text);

/** A noun that stands for a person: `author`, beside which there may be `author_email`. */
const named: Make = (subject) => fullName({ ...subject, qualifier: subject.name });

export const petName: Make = (subject) => {
  const { pets } = tongueOf(subject.library.language) ?? {};
  if (pets) return sharedRandom(subject, 'thing').pick(pets);
  return difficultName(subject) ?? shared(subject, 'thing').animal.petName();
};

const BIOS = [
  'Likes long walks, short meetings and strong coffee.',
  'Writes about food, travel and everything in between.',
  'Builds small tools that solve big problems.',
  'Grew up by the sea, and never quite left it.',
  'Photographer on weekends, accountant on weekdays.',
  'Reads more books than there is room for.',
  'Runs a small studio with two friends and a dog.',
  'Twenty years in logistics, still curious.',
] as const;

export const PERSON =
  'user|person|people|bidder|winner|donor|volunteer|uploader|commenter|follower|friend|actor|owner|author|customer|client|employee|member|patient|student|teacher|doctor|vet|veterinarian|contact|guest|driver|player|attendee|instructor|candidate|participant|recipient|sender|assignee|creator|manager|reviewer|seller|buyer|holder|approver|requester|reporter|subscriber|organi[sz]er|speaker|maintainer|agent|tenant|visitor|passenger|nurse|clerk|coach|trainer|keeper|captain|beneficiary|profile|staff|crew|lead|supervisor|borrower|reader|payer|payee|cardholder';

export const PEOPLE: Words = {
  '(?:first|given|fore)_?name': (subject) => personOf(subject).first,
  '(?:last|family|sur)_?name': (subject) => personOf(subject).last,
  'middle_?name': (subject) =>
    isEnglish(subject)
      ? own(subject).person.middleName()
      : own(subject).person.firstName(personOf(subject).sex),
  '(?:full|real|legal|display)_?name': fullName,
  '(?:nick|screen)_?name': userName,
  'user_?names?|logins?(?:_name)?|handle|nick': userName,
  'e?_?mail(?:_?address)?': (subject) => `${userName(subject)}@example.com`,
  initials: (subject) => {
    const { first, last } = personOf(subject);
    return `${[...first][0]}${[...last][0]}`.toUpperCase();
  },
  '(?:tele)?phone(?:_?(?:number|no))?|mobile(?:_?(?:number|phone|no))?|cell|fax(?:_number)?|tel|msisdn':
    phoneNumber,
  'job_?title|job_role|occupation|profession|designation': jobTitle,
  'gender|sex': (subject) => personOf(subject).sex,
  'salutation|prefix|honorific': (subject) => own(subject).person.prefix(personOf(subject).sex),
  'bio(?:graphy)?|about(?:_me)?|self_description': (subject) =>
    subject.random.pick(tongueOf(subject.library.language)?.bios ?? BIOS),
  [`(?:${PERSON}|assigned_to|reported_by|(?:creat|updat|modifi|delet|assign|approv|author|upload|post|own)ed_by)`]:
    named,
};
