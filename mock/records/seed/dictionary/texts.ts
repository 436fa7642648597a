import { has, isEnglish, type Make, own, type Subject, slugOf, type Words } from './subject.ts';
import { headline, issue, nameOfThing, plainWords, task } from './things.ts';
import { tongueOf } from './tongues.ts';

const COMMENTS = [
  ...[
    'Thanks, that helped a lot!',
    'Could you add a picture of the second step?',
    'I had the same problem last week.',
  ],
  ...['Great read, looking forward to the next part.', 'Not sure that I agree with the last point.'],
  ...['Works for me now.', 'Can somebody confirm this?', 'Lovely, we will try it at the weekend.'],
  ...[
    'Please have another look at the numbers.',
    'Delivered on time and well packed.',
    'Exactly what we needed.',
  ],
] as const;
const REVIEWS = [
  ...[
    'Better than expected, would buy again.',
    'Good quality for the price.',
    'Arrived a day late, but in perfect shape.',
  ],
  ...[
    'The colour is a little darker than in the picture.',
    'My kids love it.',
    'Sturdy, simple, does its job.',
  ],
  ...[
    'Too small for our kitchen, otherwise fine.',
    'Friendly staff, and a quiet room.',
    'Five stars without a doubt.',
  ],
] as const;
const REASONS = [
  'Ordered by mistake',
  'No longer needed',
  'Duplicate',
  'Customer request',
  'Out of stock',
  'Wrong address',
] as const;
const VISITS = [
  'Annual check-up',
  'Vaccination',
  'Follow-up after surgery',
  'Dental cleaning',
  'Limping on the left hind leg',
  'Skin rash',
  'Blood test',
  'Nail trimming',
] as const;
const QUESTIONS = [
  ...['How long does delivery take?', 'Which plan fits a team of five?', 'Can I change my order?'],
  ...['What is your favourite city?', 'How satisfied are you with our service?', 'Do you ship abroad?'],
] as const;
const SENTENCES = [
  ...['Made in small numbers, and checked by hand.', 'A good choice for beginners and professionals alike.'],
  ...[
    'Popular with families, and open all year round.',
    'Updated every week with what is new.',
    'Close to the station and easy to reach.',
  ],
  ...[
    'Everything you need to get started, in one place.',
    'Quiet in the mornings, busy after work.',
    'Kept simple on purpose.',
  ],
  ...[
    'Agreed with the team in the last meeting.',
    'Replaces the old version from last year.',
    'Includes a short introduction and three examples.',
  ],
  ...[
    'Needs some care, and gives a lot back.',
    'For everyone who wants to know how things work.',
    'Planned for the second half of the year.',
  ],
] as const;

const OF_GOODS = [
  ...[
    'Made to last, and easy to repair.',
    'Soft to the touch, and tougher than it looks.',
    'Our bestseller, now in three new colours.',
  ],
  ...[
    'Made by hand in a small workshop.',
    'Fits any room, and folds away in seconds.',
    'A timeless piece for every day.',
  ],
  ...[
    'Light enough to take along, strong enough to stay.',
    'From responsible sources, and packed without plastic.',
  ],
  ...['A gift that is used every day.', 'Simple lines, honest materials.'],
] as const;

/** Without a space after a full stop. */
const CLOSED: ReadonlySet<string> = new Set(['ja', 'zh-CN']);

/** Whether faker has given its Latin, which it has for most languages. */
const isLatin = (text: string) => !/(?!\p{Script=Latin})\p{L}/u.test(text);

/** One sentence, or some for a long text. */
function sentences(subject: Subject, count: number): string {
  const { random } = subject;
  const tongue = tongueOf(subject.library.language);
  if (!isEnglish(subject) && !tongue) {
    const text = own(subject).lorem.sentences(count);
    if (!isLatin(text)) return text;
  }
  const pool = tongue?.sentences ?? SENTENCES;
  const joint = CLOSED.has(subject.library.language) ? '' : ' ';
  const chosen = new Set<string>();
  while (chosen.size < count) chosen.add(random.pick(pool));
  return [...chosen].join(joint);
}

function description(subject: Subject): string {
  const { entity, random } = subject;
  if (!isEnglish(subject)) return sentences(subject, 1);
  if (/(?:^|_)(?:product|item|variant|sku|offer|goods)s?$/.test(entity)) return random.pick(OF_GOODS);
  if (/(?:recipe|dish|meal|food)s?$/.test(entity)) return own(subject).food.description();
  if (/(?:visit|appointment|treatment|consultation)s?$/.test(entity)) return random.pick(VISITS);
  if (/(?:issue|ticket|bug|incident|defect|complaint)s?$/.test(entity))
    return `${issue({ ...subject, qualifier: '~' })}. ${random.pick(COMMENTS)}`;
  return sentences(subject, random.integer(1, 2));
}

const paragraphs = (subject: Subject) =>
  isEnglish(subject)
    ? Array.from({ length: subject.random.integer(2, 3) }, () => sentences(subject, 3)).join('\n\n')
    : Array.from({ length: 2 }, () => sentences(subject, 3)).join('\n\n');

const textOf: Make = (subject) =>
  /(?:article|post|page|blog|stor(?:y|ies)|document|chapter|news|lesson)s?$/.test(subject.entity)
    ? paragraphs(subject)
    : comment(subject);

const comment: Make = (subject) => {
  if (!isEnglish(subject)) return sentences(subject, 1);
  return subject.random.pick(/review|rating|feedback/.test(subject.entity) ? REVIEWS : COMMENTS);
};

/** The slug of the name or title beside it. */
const slug: Make = (subject) => {
  const { qualifier } = subject;
  const title = has(subject, /(?:^|_)(?:title|name|headline)$/)
    ? nameOfThing(qualifier === '' ? subject : { ...subject, entity: qualifier })
    : headline(subject);
  return slugOf(String(title), '-', subject.library.language) || slugOf(plainWords(subject.random));
};

export const TEXTS: Words = {
  'slug|permalink|url_key|handle_slug|seo_name': slug,
  '(?:short_?)?descriptions?(?:_(?:text|short|long|html|md))?|summary|abstract|excerpt|synopsis|intro(?:duction)?|overview|details?|info(?:rmation)?|purpose|motto|plot|meta_description|desc':
    description,
  'comments?|notes?|remarks?|memo|annotation|feedback|review(?:_text)?|reply|comment_text': comment,
  'text|content|body|message(?:_text)?|markdown|html|post_text|raw|contents|plain_text|letter': textOf,
  'reason|cause|rejection_reason|justification|explanation': (subject) => subject.random.pick(REASONS),
  'instructions?|directions|steps|how_to|preparation|method': (subject) => sentences(subject, 2),
  'slogan|tagline|catch_?phrase|claim': (subject) => own(subject).company.catchPhrase(),
  'question(?:_text)?|prompt': (subject) => subject.random.pick(QUESTIONS),
  'answer|response_text|solution': comment,
  'task|todo|to_do': task,
  'quote|quotation|sentence|paragraph|bio_text|terms|policy|disclaimer|caption_text|help(?:_text)?|hint|tooltip|note_text':
    (subject) => sentences(subject, 1),
  'error(?:_message)?|failure_reason|last_error': (subject) =>
    subject.random.pick([
      'Connection timed out',
      'Certificate has expired',
      'Quota exceeded',
      'Name could not be resolved',
    ]),
  'sound|meaning|definition|translation': (subject) => sentences(subject, 1),
};
