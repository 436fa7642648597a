/** What texts of a language say that have no other source: faker has Latin for most, and no reader takes that for a text. */
export interface Tongue {
  readonly sentences: readonly string[];
  /** Of a person. */
  readonly bios: readonly string[];
  /** With `{city}`. */
  readonly headlines: readonly string[];
  /** Where those of faker are in another script. */
  readonly pets?: readonly string[];
}

/** By language, without a region. */
const TONGUES: Readonly<Record<string, Tongue>> = {
  ar: {
    sentences: [
      ...[
        'صُنع بكميات صغيرة وفُحص يدويًا.',
        'خيار جيد للمبتدئين والمحترفين.',
        'مفتوح طوال العام ومحبوب لدى العائلات.',
      ],
      ...[
        'قريب من المحطة وسهل الوصول.',
        'كل ما تحتاجه للبدء في مكان واحد.',
        'هادئ في الصباح ومزدحم بعد العمل.',
      ],
      ...['تم الاتفاق عليه في الاجتماع الأخير.', 'يتضمن مقدمة قصيرة وثلاثة أمثلة.'],
    ],
    bios: ['أحب القهوة والمشي الطويل.', 'أكتب عن الطعام والسفر.', 'أقرأ كتبًا أكثر مما تتسع له الرفوف.'],
    headlines: [
      'عطلة نهاية أسبوع في {city}',
      'أفضل فطور في {city}',
      'متاحف صغيرة في {city}',
      'الشتاء في {city}',
      'رسائل من {city}',
    ],
    pets: ['لولو', 'سيمبا', 'بندق', 'مشمش', 'سمسم', 'ماكس', 'لوسي', 'نمر', 'قطقوط', 'لونا'],
  },
  de: {
    sentences: [
      ...[
        'In kleiner Auflage hergestellt und von Hand geprüft.',
        'Eine gute Wahl für Einsteiger und Profis.',
      ],
      ...['Beliebt bei Familien und das ganze Jahr geöffnet.', 'Nah am Bahnhof und gut zu erreichen.'],
      ...[
        'Alles, was man für den Anfang braucht, an einem Ort.',
        'Morgens ruhig, nach Feierabend gut besucht.',
      ],
      ...['Im letzten Treffen mit dem Team vereinbart.', 'Enthält eine kurze Einführung und drei Beispiele.'],
      ...['Braucht etwas Pflege und gibt viel zurück.', 'Ersetzt die alte Fassung vom letzten Jahr.'],
    ],
    bios: [
      'Mag lange Spaziergänge, kurze Besprechungen und starken Kaffee.',
      'Schreibt über Essen, Reisen und alles dazwischen.',
      'Am Meer aufgewachsen und nie ganz fortgegangen.',
      'Liest mehr Bücher, als ins Regal passen.',
    ],
    headlines: [
      'Ein Wochenende in {city}',
      'Das beste Frühstück in {city}',
      'Kleine Museen in {city}',
      'Mit dem Rad durch {city}',
      'Winter in {city}',
      'Briefe aus {city}',
    ],
  },
  es: {
    sentences: [
      ...[
        'Hecho en pequeñas cantidades y revisado a mano.',
        'Una buena opción para principiantes y profesionales.',
      ],
      ...[
        'Muy popular entre las familias y abierto todo el año.',
        'Cerca de la estación y fácil de encontrar.',
      ],
      ...[
        'Todo lo necesario para empezar, en un solo lugar.',
        'Tranquilo por la mañana, animado por la tarde.',
      ],
      ...['Acordado con el equipo en la última reunión.', 'Incluye una breve introducción y tres ejemplos.'],
    ],
    bios: [
      'Le gustan los paseos largos y el café fuerte.',
      'Escribe sobre comida, viajes y todo lo demás.',
      'Lee más libros de los que caben en casa.',
    ],
    headlines: [
      'Un fin de semana en {city}',
      'El mejor desayuno de {city}',
      'Pequeños museos de {city}',
      'Invierno en {city}',
      'Cartas desde {city}',
    ],
  },
  fr: {
    sentences: [
      ...[
        'Fabriqué en petite série et contrôlé à la main.',
        'Un bon choix pour les débutants comme pour les professionnels.',
      ],
      ...['Apprécié des familles et ouvert toute l’année.', 'Proche de la gare et facile d’accès.'],
      ...['Tout ce qu’il faut pour commencer, au même endroit.', 'Calme le matin, animé en fin de journée.'],
      ...[
        'Convenu avec l’équipe lors de la dernière réunion.',
        'Contient une courte introduction et trois exemples.',
      ],
      ...['Demande un peu de soin, et le rend bien.', 'Remplace l’ancienne version de l’an dernier.'],
    ],
    bios: [
      'Aime les longues promenades, les réunions courtes et le café fort.',
      'Écrit sur la cuisine, les voyages et tout le reste.',
      'A grandi au bord de la mer, et n’en est jamais vraiment loin.',
      'Lit plus de livres qu’il n’y a de place.',
    ],
    headlines: [
      'Un week-end à {city}',
      'Où prendre le petit-déjeuner à {city}',
      'Les petits musées de {city}',
      '{city} à vélo',
      'L’hiver à {city}',
      'Lettres de {city}',
    ],
  },
  it: {
    sentences: [
      ...[
        'Prodotto in piccole quantità e controllato a mano.',
        'Una buona scelta per principianti e professionisti.',
      ],
      ...['Amato dalle famiglie e aperto tutto l’anno.', 'Vicino alla stazione e facile da raggiungere.'],
      ...[
        'Tutto il necessario per cominciare, in un solo posto.',
        'Tranquillo al mattino, vivace dopo il lavoro.',
      ],
      ...['Concordato con il gruppo nell’ultima riunione.', 'Comprende una breve introduzione e tre esempi.'],
    ],
    bios: [
      'Ama le lunghe passeggiate e il caffè forte.',
      'Scrive di cucina, di viaggi e di tutto il resto.',
      'Legge più libri di quanti ne stiano in casa.',
    ],
    headlines: [
      'Un fine settimana a {city}',
      'Dove fare colazione a {city}',
      'Piccoli musei di {city}',
      'Inverno a {city}',
      'Lettere da {city}',
    ],
  },
  ja: {
    sentences: [
      ...[
        '少量生産で、一つひとつ手作業で確認しています。',
        '初心者にもプロにもおすすめです。',
        '家族連れに人気で、一年中営業しています。',
      ],
      ...[
        '駅から近く、アクセスも便利です。',
        '始めるために必要なものがすべてそろっています。',
        '午前中は静かで、夕方はにぎやかです。',
      ],
      ...[
        '前回の会議でチームと合意しました。',
        '短い説明と三つの例が含まれています。',
        '少し手間はかかりますが、長く使えます。',
        '昨年の旧版に代わるものです。',
      ],
    ],
    bios: [
      '長い散歩と濃いコーヒーが好きです。',
      '食べ物と旅について書いています。',
      '海のそばで育ちました。',
      '本棚に入りきらないほど本を読みます。',
    ],
    headlines: [
      '{city}で過ごす週末',
      '{city}の朝ごはん',
      '{city}の小さな美術館',
      '自転車でめぐる{city}',
      '{city}の冬',
      '{city}からの手紙',
    ],
    pets: [
      'ポチ',
      'ハチ',
      'モモ',
      'ソラ',
      'コタロウ',
      'ココ',
      'レオ',
      'ムギ',
      'チョコ',
      'タマ',
      'きなこ',
      'マロン',
    ],
  },
  ko: {
    sentences: [
      ...[
        '소량으로 만들고 하나하나 직접 검수합니다.',
        '초보자와 전문가 모두에게 좋은 선택입니다.',
        '가족에게 인기가 많고 일 년 내내 문을 엽니다.',
      ],
      ...[
        '역에서 가깝고 찾아오기 쉽습니다.',
        '시작에 필요한 모든 것이 한곳에 있습니다.',
        '지난 회의에서 팀과 합의했습니다.',
        '짧은 소개와 세 가지 예가 들어 있습니다.',
      ],
    ],
    bios: [
      '긴 산책과 진한 커피를 좋아합니다.',
      '음식과 여행에 대해 글을 씁니다.',
      '책장에 다 들어가지 않을 만큼 책을 읽습니다.',
    ],
    headlines: [
      '{city}에서 보내는 주말',
      '{city}의 아침 식사',
      '{city}의 작은 미술관',
      '{city}의 겨울',
      '{city}에서 온 편지',
    ],
  },
  nl: {
    sentences: [
      ...[
        'In kleine oplage gemaakt en met de hand gecontroleerd.',
        'Een goede keuze voor beginners en professionals.',
      ],
      ...['Geliefd bij gezinnen en het hele jaar open.', 'Dicht bij het station en goed bereikbaar.'],
      ...['Alles wat je nodig hebt om te beginnen, op één plek.', 's Ochtends rustig, na het werk druk.'],
      ...[
        'Afgesproken met het team in het laatste overleg.',
        'Bevat een korte inleiding en drie voorbeelden.',
      ],
    ],
    bios: [
      'Houdt van lange wandelingen en sterke koffie.',
      'Schrijft over eten, reizen en alles daartussenin.',
      'Leest meer boeken dan er in de kast passen.',
    ],
    headlines: [
      'Een weekend in {city}',
      'Het beste ontbijt van {city}',
      'Kleine musea in {city}',
      'Winter in {city}',
      'Brieven uit {city}',
    ],
  },
  pl: {
    sentences: [
      ...[
        'Wykonane w małej serii i sprawdzone ręcznie.',
        'Dobry wybór dla początkujących i profesjonalistów.',
      ],
      ...[
        'Lubiane przez rodziny i otwarte cały rok.',
        'Blisko dworca i łatwo tu trafić.',
        'Wszystko, czego potrzeba na początek, w jednym miejscu.',
      ],
      ...['Uzgodnione z zespołem na ostatnim spotkaniu.', 'Zawiera krótki wstęp i trzy przykłady.'],
    ],
    bios: [
      'Lubi długie spacery i mocną kawę.',
      'Pisze o jedzeniu, podróżach i całej reszcie.',
      'Czyta więcej książek, niż mieści się na półkach.',
    ],
    headlines: [
      '{city}: pomysł na weekend',
      '{city} na rowerze',
      '{city} zimą',
      'Śniadanie w mieście: {city}',
    ],
  },
  pt: {
    sentences: [
      ...[
        'Feito em pequenas quantidades e conferido à mão.',
        'Uma boa escolha para iniciantes e profissionais.',
      ],
      ...['Popular entre as famílias e aberto o ano todo.', 'Perto da estação e fácil de chegar.'],
      ...[
        'Tudo o que é preciso para começar, em um só lugar.',
        'Tranquilo de manhã, movimentado no fim do dia.',
      ],
      ...['Combinado com a equipe na última reunião.', 'Inclui uma breve introdução e três exemplos.'],
      ...['Pede um pouco de cuidado e retribui muito.', 'Substitui a versão antiga do ano passado.'],
    ],
    bios: [
      'Gosta de longas caminhadas e de café forte.',
      'Escreve sobre comida, viagens e tudo o mais.',
      'Cresceu à beira-mar e nunca foi embora de vez.',
      'Lê mais livros do que cabem na estante.',
    ],
    headlines: [
      'Um fim de semana em {city}',
      'O melhor café da manhã de {city}',
      'Pequenos museus de {city}',
      '{city} de bicicleta',
      'Inverno em {city}',
      'Cartas de {city}',
    ],
  },
  ru: {
    sentences: [
      ...[
        'Изготовлено небольшой партией и проверено вручную.',
        'Хороший выбор для новичков и профессионалов.',
      ],
      ...[
        'Открыто круглый год и нравится всей семье.',
        'Рядом с вокзалом, легко добраться.',
        'Всё необходимое для начала в одном месте.',
      ],
      ...['Согласовано с командой на последней встрече.', 'Содержит краткое введение и три примера.'],
    ],
    bios: [
      'Любит долгие прогулки и крепкий кофе.',
      'Пишет о еде, путешествиях и обо всём на свете.',
      'Читает больше книг, чем помещается на полках.',
    ],
    headlines: [
      '{city}: идеи на выходные',
      '{city} зимой',
      '{city} на велосипеде',
      '{city}: где позавтракать',
    ],
    pets: ['Барсик', 'Мурка', 'Рекс', 'Шарик', 'Рыжик', 'Белка', 'Тузик', 'Дымка', 'Граф', 'Соня'],
  },
  zh: {
    sentences: [
      ...[
        '小批量制作，逐件人工检验。',
        '适合初学者，也适合专业人士。',
        '深受家庭喜爱，全年开放。',
        '离车站很近，交通方便。',
      ],
      ...[
        '入门所需的一切都在这里。',
        '上午安静，下班后热闹。',
        '已在上次会议上与团队商定。',
        '包括简短的介绍和三个例子。',
      ],
    ],
    bios: ['喜欢散步和浓咖啡。', '写美食和旅行。', '书多得书架放不下。'],
    headlines: ['{city}的周末', '{city}的早餐', '{city}的小博物馆', '{city}的冬天', '来自{city}的信'],
  },
};

/** Simplified characters and the words of Brazil are for their readers alone. */
const OTHERS: ReadonlySet<string> = new Set(['pt-PT', 'zh-TW']);

/** Undefined: there is none of this language. */
export function tongueOf(language: string): Tongue | undefined {
  return OTHERS.has(language) ? undefined : TONGUES[language.split('-')[0] ?? ''];
}
