import SENTENCES from './sentences.json' with { type: 'json' };
import type { Subject } from './subject.ts';

/** Sentences by language and kind. Faker has sentences for other languages. */
const OF_LANGUAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = SENTENCES;

/** A sentence of a kind in a language, else a comment; several for an article. Titles and reasons have no full stop. */
export function sentence(kind: string, { library, random }: Subject): string {
  const [language = ''] = library.language.split('-');
  const kinds = OF_LANGUAGES[language];
  const sentences = kinds?.[kind];
  if (sentences) return random.pick(sentences);
  const count = kind === 'article' ? 6 : 1;
  const texts = ['article', 'place', 'task'].includes(kind) ? kinds?.description : kinds?.comment;
  if (!texts) {
    const text = library.from(random).lorem.sentences(count);
    return kind === 'title' || kind === 'reason' ? text.replace(/[.。]$/, '') : text;
  }
  if (kind === 'question') return random.pick(texts.filter((text) => /[?？؟]$/.test(text)));
  const from = random.integer(0, texts.length - 1);
  return Array.from({ length: count }, (_, at) => texts[(from + at) % texts.length]).join(' ');
}
