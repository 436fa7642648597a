/** Letters that Unicode does not decompose, and what people write for them in addresses of ASCII. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŋ: 'n', ə: 'a' },
  ...lettersOf('абвгдезийклмнопрстуфыэ', 'abvgdeziyklmnoprstufye'),
  ...{ ж: 'zh', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ь: '', ю: 'yu', я: 'ya', ё: 'e' },
  ...{
    і: 'i',
    ї: 'yi',
    є: 'ye',
    ґ: 'g',
    ђ: 'dj',
    ј: 'j',
    љ: 'lj',
    њ: 'nj',
    ћ: 'c',
    џ: 'dz',
    ѓ: 'gj',
    ќ: 'kj',
    ѕ: 'dz',
  },
  ...lettersOf('αβγδεζηικλμνξοπρστυφωςχ', 'avgdeziiklmnxoprstyfosh'),
  ...{ θ: 'th', ψ: 'ps', ў: 'u', қ: 'q', ғ: 'g', ҳ: 'h', ө: 'u', ү: 'u' },
  ...lettersOf('ابتجحدرزسصضطظعفقكلمنهويىةءئؤ', 'abtjhdrzssdtzafqklmnhwyaaayw'),
  ...{ ث: 'th', خ: 'kh', ذ: 'th', ش: 'sh', غ: 'gh', پ: 'p', چ: 'ch', ژ: 'zh', گ: 'g', ک: 'k', ی: 'y' },
  ...lettersOf('אבגדהוזחטיכךלמםנןסעפףצץקרת', 'abgdhvzhtykklmmnnsaffzzkrt'),
  ...{ ש: 'sh' },
  ...lettersOf('აბგდევზთიკლმნოპჟრსტუფქყხჯჰ', 'abgdevztiklmnopjrstupkqkjh'),
  ...{ ღ: 'gh', შ: 'sh', ჩ: 'ch', ც: 'ts', ძ: 'dz', წ: 'ts', ჭ: 'ch' },
};

function lettersOf(from: string, to: string): Record<string, string> {
  return Object.fromEntries([...from].map((letter, index) => [letter, to.charAt(index)]));
}

const LEADS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const TAILS = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');

/** A syllable of Hangul, which is its place in a table of three dimensions. */
function syllable(code: number): string {
  const parts = [LEADS[Math.floor(code / 588)], VOWELS[Math.floor(code / 28) % 21], TAILS[code % 28]];
  return parts.join('').replaceAll('-', '');
}

/** Small letters of ASCII where the script has letters; what it has no letters for (Han, say) stays as it is. */
export function transliterate(text: string, language = 'en'): string {
  const own = language.startsWith('de')
    ? text.normalize('NFC').replace(/[äöü]/gi, (letter) => UMLAUTS[letter.toLowerCase()] ?? letter)
    : text;
  const spoken = own
    .normalize('NFC')
    .replace(/[가-힣]/g, (letter) => syllable(letter.charCodeAt(0) - 0xac00));
  return spoken
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => LETTERS[letter] ?? letter);
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
