/**
 * By language: the country, its time zone and currency; forms of phone numbers as people there write them, where there are such
 * from ranges that are nobody's; cities as they are called there, with region, form of the postcode, latitude and longitude.
 */
const LOCAL: Readonly<Record<string, readonly string[]>> = {
  'af-ZA': ['ZA|Africa/Johannesburg|ZAR', '021 555 ####', 'Kaapstad|Wes-Kaap|80##|-33.92|18.42'],
  ar: [
    ...['EG|Africa/Cairo|EGP', '010 #### ####|02 2### ####'],
    ...['القاهرة|القاهرة|115##|30.04|31.24', 'الإسكندرية|الإسكندرية|215##|31.20|29.92'],
    ...[
      'الجيزة|الجيزة|125##|30.01|31.21',
      'أسوان|أسوان|815##|24.09|32.90',
      'الأقصر|الأقصر|855##|25.69|32.64',
    ],
  ],
  az: ['AZ|Asia/Baku|AZN', '050 ### ## ##', 'Bakı|Bakı|AZ10##|40.41|49.87', 'Gəncə|Gəncə|AZ20##|40.68|46.36'],
  'bn-BD': ['BD|Asia/Dhaka|BDT', '017##-######', 'ঢাকা|ঢাকা|12##|23.81|90.41', 'চট্টগ্রাম|চট্টগ্রাম|40##|22.36|91.78'],
  'cs-CZ': [
    ...['CZ|Europe/Prague|CZK', '60# ### ###', 'Praha|Hlavní město Praha|1## ##|50.08|14.44'],
    ...['Brno|Jihomoravský kraj|60# ##|49.20|16.61', 'Ostrava|Moravskoslezský kraj|70# ##|49.82|18.26'],
    ...['Plzeň|Plzeňský kraj|30# ##|49.75|13.38'],
  ],
  cy: [
    'GB|Europe/London|GBP',
    '029 2018 0###',
    'Caerdydd|Cymru|CF1# #??|51.48|-3.18',
    'Abertawe|Cymru|SA1 #??|51.62|-3.94',
  ],
  ckb: ['IQ|Asia/Baghdad|IQD', '0750 ### ####', 'هەولێر|هەولێر|440##|36.19|44.01'],
  da: [
    ...['DK|Europe/Copenhagen|DKK', '2# ## ## ##', 'København|Hovedstaden|21##|55.68|12.57'],
    ...[
      'Aarhus|Midtjylland|82##|56.16|10.20',
      'Odense|Syddanmark|52##|55.40|10.39',
      'Aalborg|Nordjylland|92##|57.05|9.92',
    ],
  ],
  de: [
    ...['DE|Europe/Berlin|EUR', '030 23125 ###|089 99998 ###|0221 4710 ###|0171 39200 ##'],
    ...[
      'Berlin|Berlin|10###|52.52|13.41',
      'Hamburg|Hamburg|20###|53.55|9.99',
      'München|Bayern|80###|48.14|11.58',
    ],
    ...['Köln|Nordrhein-Westfalen|50###|50.94|6.96', 'Leipzig|Sachsen|04###|51.34|12.37'],
    ...[
      'Freiburg|Baden-Württemberg|79###|47.99|7.85',
      'Bremen|Bremen|28###|53.08|8.80',
      'Kassel|Hessen|34###|51.31|9.48',
    ],
  ],
  'de-AT': [
    ...[
      'AT|Europe/Vienna|EUR',
      '0664 ### ## ##|01 ### ## ##',
      'Wien|Wien|10#0|48.21|16.37',
      'Graz|Steiermark|8010|47.07|15.44',
    ],
    ...[
      'Salzburg|Salzburg|5020|47.81|13.04',
      'Linz|Oberösterreich|4020|48.31|14.29',
      'Innsbruck|Tirol|6020|47.27|11.39',
    ],
  ],
  'de-CH': [
    ...[
      'CH|Europe/Zurich|CHF',
      '079 ### ## ##|044 ### ## ##',
      'Zürich|Zürich|80##|47.37|8.54',
      'Bern|Bern|30##|46.95|7.45',
    ],
    ...[
      'Basel|Basel-Stadt|40##|47.56|7.59',
      'Luzern|Luzern|60##|47.05|8.31',
      'St. Gallen|St. Gallen|90##|47.42|9.38',
    ],
  ],
  dv: ['MV|Indian/Maldives|MVR', '7##-####', 'މާލެ|މާލެ|20###|4.18|73.51'],
  el: [
    ...['GR|Europe/Athens|EUR', '69# ### ####|21# ### ####', 'Αθήνα|Αττική|10# ##|37.98|23.73'],
    ...['Θεσσαλονίκη|Κεντρική Μακεδονία|54# ##|40.64|22.94', 'Πάτρα|Δυτική Ελλάδα|26# ##|38.25|21.73'],
  ],
  'en-GB': [
    ...[
      'GB|Europe/London|GBP',
      '020 7946 0###|0161 496 0###|07700 900###',
      'London|England|SW# #??|51.51|-0.13',
    ],
    ...[
      'Manchester|England|M# #??|53.48|-2.24',
      'Edinburgh|Scotland|EH# #??|55.95|-3.19',
      'Cardiff|Wales|CF1# #??|51.48|-3.18',
    ],
    ...['Bristol|England|BS# #??|51.45|-2.59', 'Leeds|England|LS# #??|53.80|-1.55'],
  ],
  'en-GH': [
    'GH|Africa/Accra|GHS',
    '024 ### ####',
    'Accra|Greater Accra|GA-###-####|5.60|-0.19',
    'Kumasi|Ashanti|AK-###-####|6.69|-1.62',
  ],
  'en-HK': [
    'HK|Asia/Hong_Kong|HKD',
    '9### ####',
    'Kowloon|Kowloon|999077|22.32|114.17',
    'Sha Tin|New Territories|999077|22.38|114.19',
  ],
  'en-IN': [
    ...[
      'IN|Asia/Kolkata|INR',
      '98### #####',
      'Mumbai|Maharashtra|4000##|19.08|72.88',
      'Bengaluru|Karnataka|5600##|12.97|77.59',
    ],
    ...[
      'New Delhi|Delhi|1100##|28.61|77.21',
      'Chennai|Tamil Nadu|6000##|13.08|80.27',
      'Pune|Maharashtra|4110##|18.52|73.86',
    ],
  ],
  'en-NG': [
    'NG|Africa/Lagos|NGN',
    '0803 ### ####',
    'Lagos|Lagos|1012##|6.52|3.38',
    'Abuja|FCT|9001##|9.06|7.49',
    'Ibadan|Oyo|2002##|7.38|3.95',
  ],
  'en-NP': [
    'NP|Asia/Kathmandu|NPR',
    '98########',
    'Kathmandu|Bagmati|446##|27.72|85.32',
    'Pokhara|Gandaki|337##|28.21|83.99',
  ],
  es: [
    ...['ES|Europe/Madrid|EUR', '6## ### ###|91# ### ###', 'Madrid|Comunidad de Madrid|280##|40.42|-3.70'],
    ...[
      'Barcelona|Cataluña|080##|41.39|2.17',
      'Sevilla|Andalucía|410##|37.39|-5.98',
      'Bilbao|País Vasco|480##|43.26|-2.93',
    ],
    ...['Valencia|Comunidad Valenciana|460##|39.47|-0.38', 'Zaragoza|Aragón|500##|41.65|-0.89'],
  ],
  'es-MX': [
    ...[
      'MX|America/Mexico_City|MXN',
      '55 #### ####|33 #### ####',
      'Ciudad de México|CDMX|06###|19.43|-99.13',
    ],
    ...[
      'Guadalajara|Jalisco|44###|20.67|-103.35',
      'Puebla|Puebla|72###|19.04|-98.21',
      'Mérida|Yucatán|97###|20.97|-89.62',
    ],
  ],
  fa: [
    ...['IR|Asia/Tehran|IRR', '0912 ### ####|021 #### ####', 'تهران|تهران|11########|35.69|51.39'],
    ...['اصفهان|اصفهان|81########|32.65|51.67', 'شیراز|فارس|71########|29.59|52.58'],
  ],
  fi: [
    ...[
      'FI|Europe/Helsinki|EUR',
      '040 ### ####',
      'Helsinki|Uusimaa|00###|60.17|24.94',
      'Tampere|Pirkanmaa|33###|61.50|23.76',
    ],
    ...['Turku|Varsinais-Suomi|20###|60.45|22.27', 'Oulu|Pohjois-Pohjanmaa|90###|65.01|25.47'],
  ],
  fr: [
    ...[
      'FR|Europe/Paris|EUR',
      '01 99 00 ## ##|04 65 71 ## ##|06 39 98 ## ##',
      'Paris|Île-de-France|750##|48.86|2.35',
    ],
    ...[
      'Lyon|Auvergne-Rhône-Alpes|6900#|45.76|4.84',
      'Marseille|Provence-Alpes-Côte d’Azur|1300#|43.30|5.37',
    ],
    ...[
      'Toulouse|Occitanie|31#00|43.60|1.44',
      'Nantes|Pays de la Loire|44#00|47.22|-1.55',
      'Lille|Hauts-de-France|59#00|50.63|3.06',
    ],
    ...['Strasbourg|Grand Est|67#00|48.57|7.75', 'Rennes|Bretagne|35#00|48.12|-1.68'],
  ],
  'fr-BE': [
    ...[
      'BE|Europe/Brussels|EUR',
      '0470 ## ## ##|02 ### ## ##',
      'Bruxelles|Bruxelles-Capitale|10#0|50.85|4.35',
    ],
    ...[
      'Liège|Wallonie|4000|50.63|5.58',
      'Namur|Wallonie|5000|50.47|4.87',
      'Charleroi|Wallonie|6000|50.41|4.44',
    ],
  ],
  'fr-CA': [
    ...['CA|America/Toronto|CAD', '514 555-01##|418 555-01##', 'Montréal|Québec|H3B #?#|45.50|-73.57'],
    ...[
      'Québec|Québec|G1R #?#|46.81|-71.21',
      'Gatineau|Québec|J8X #?#|45.48|-75.70',
      'Sherbrooke|Québec|J1H #?#|45.40|-71.89',
    ],
  ],
  'fr-CH': [
    ...[
      'CH|Europe/Zurich|CHF',
      '079 ### ## ##|022 ### ## ##',
      'Genève|Genève|12##|46.20|6.14',
      'Lausanne|Vaud|10##|46.52|6.63',
    ],
    ...['Neuchâtel|Neuchâtel|2000|46.99|6.93', 'Fribourg|Fribourg|17##|46.80|7.16'],
  ],
  'fr-LU': [
    'LU|Europe/Luxembourg|EUR',
    '621 ### ###',
    'Luxembourg|Luxembourg|L-1###|49.61|6.13',
    'Differdange|Esch-sur-Alzette|L-46##|49.52|5.89',
  ],
  'fr-SN': [
    'SN|Africa/Dakar|XOF',
    '77 ### ## ##',
    'Dakar|Dakar|1####|14.72|-17.47',
    'Saint-Louis|Saint-Louis|3####|16.03|-16.49',
  ],
  he: [
    ...['IL|Asia/Jerusalem|ILS', '05#-###-####|03-###-####', 'תל אביב|תל אביב|6#####|32.09|34.78'],
    ...[
      'ירושלים|ירושלים|9#####|31.77|35.21',
      'חיפה|חיפה|3#####|32.79|34.99',
      'באר שבע|הדרום|8#####|31.25|34.79',
    ],
  ],
  hr: [
    'HR|Europe/Zagreb|EUR',
    '091 ### ####',
    'Zagreb|Grad Zagreb|100##|45.81|15.98',
    'Split|Splitsko-dalmatinska|21000|43.51|16.44',
    'Rijeka|Primorsko-goranska|51000|45.33|14.44',
  ],
  hu: [
    'HU|Europe/Budapest|HUF',
    '06 30 ### ####',
    'Budapest|Budapest|11##|47.50|19.04',
    'Debrecen|Hajdú-Bihar|40##|47.53|21.63',
    'Szeged|Csongrád-Csanád|67##|46.25|20.15',
  ],
  hy: [
    'AM|Asia/Yerevan|AMD',
    '091 ## ## ##',
    'Երևան|Երևան|00##|40.18|44.51',
    'Գյումրի|Շիրակ|31##|40.79|43.85',
  ],
  'id-ID': [
    'ID|Asia/Jakarta|IDR',
    '0812-####-####',
    'Jakarta|DKI Jakarta|10###|-6.21|106.85',
    'Bandung|Jawa Barat|40###|-6.92|107.62',
    'Surabaya|Jawa Timur|60###|-7.26|112.75',
  ],
  it: [
    ...['IT|Europe/Rome|EUR', '33# ### ####|02 #### ####|06 #### ####', 'Roma|Lazio|001##|41.90|12.50'],
    ...[
      'Milano|Lombardia|201##|45.46|9.19',
      'Napoli|Campania|801##|40.85|14.27',
      'Torino|Piemonte|101##|45.07|7.69',
    ],
    ...['Firenze|Toscana|501##|43.77|11.26', 'Bologna|Emilia-Romagna|401##|44.49|11.34'],
  ],
  ja: [
    ...[
      'JP|Asia/Tokyo|JPY',
      '090-####-####|03-####-####|06-####-####',
      '千代田区|東京都|10#-00##|35.69|139.75',
    ],
    ...[
      '京都市中京区|京都府|604-8###|35.01|135.75',
      '大阪市北区|大阪府|530-00##|34.70|135.50',
      '札幌市中央区|北海道|060-00##|43.06|141.35',
    ],
    ...[
      '福岡市博多区|福岡県|812-00##|33.59|130.41',
      '横浜市西区|神奈川県|220-00##|35.45|139.62',
      '名古屋市中区|愛知県|460-00##|35.17|136.91',
    ],
  ],
  'ka-GE': [
    'GE|Asia/Tbilisi|GEL',
    '555 ## ## ##',
    'თბილისი|თბილისი|01##|41.72|44.79',
    'ბათუმი|აჭარა|60##|41.65|41.64',
  ],
  ko: [
    ...[
      'KR|Asia/Seoul|KRW',
      '010-####-####|02-####-####',
      '서울 종로구|서울특별시|030##|37.57|126.98',
      '부산 해운대구|부산광역시|480##|35.16|129.16',
    ],
    ...[
      '대구 중구|대구광역시|419##|35.87|128.60',
      '전주시|전북특별자치도|549##|35.82|127.15',
      '수원시|경기도|164##|37.26|127.03',
    ],
  ],
  kmr: ['TR|Europe/Istanbul|TRY', '0532 ### ## ##', 'Amed|Amed|210##|37.91|40.24'],
  lv: [
    'LV|Europe/Riga|EUR',
    '2# ### ###',
    'Rīga|Rīga|LV-10##|56.95|24.11',
    'Liepāja|Kurzeme|LV-34##|56.51|21.01',
  ],
  mk: [
    'MK|Europe/Skopje|MKD',
    '070 ### ###',
    'Скопје|Скопје|10##|42.00|21.43',
    'Битола|Пелагонија|70##|41.03|21.33',
  ],
  'mn-Cyrl-MN': ['MN|Asia/Ulaanbaatar|MNT', '99##-####', 'Улаанбаатар|Улаанбаатар|14###|47.92|106.92'],
  'nb-NO': [
    'NO|Europe/Oslo|NOK',
    '4## ## ###',
    'Oslo|Oslo|01##|59.91|10.75',
    'Bergen|Vestland|50##|60.39|5.32',
    'Trondheim|Trøndelag|70##|63.43|10.40',
  ],
  ne: [
    'NP|Asia/Kathmandu|NPR',
    '98########',
    'काठमाडौँ|बागमती|446##|27.72|85.32',
    'पोखरा|गण्डकी|337##|28.21|83.99',
  ],
  nl: [
    ...['NL|Europe/Amsterdam|EUR', '06 ########|020 ### ####', 'Amsterdam|Noord-Holland|10## ??|52.37|4.90'],
    ...[
      'Rotterdam|Zuid-Holland|30## ??|51.92|4.48',
      'Utrecht|Utrecht|35## ??|52.09|5.12',
      'Groningen|Groningen|97## ??|53.22|6.57',
    ],
  ],
  'nl-BE': [
    'BE|Europe/Brussels|EUR',
    '0470 ## ## ##',
    'Antwerpen|Vlaanderen|20#0|51.22|4.40',
    'Gent|Vlaanderen|9000|51.05|3.72',
    'Brugge|Vlaanderen|8000|51.21|3.22',
  ],
  pl: [
    ...[
      'PL|Europe/Warsaw|PLN',
      '6## ### ###',
      'Warszawa|mazowieckie|00-###|52.23|21.01',
      'Kraków|małopolskie|30-###|50.06|19.94',
    ],
    ...[
      'Gdańsk|pomorskie|80-###|54.35|18.65',
      'Wrocław|dolnośląskie|50-###|51.11|17.04',
      'Łódź|łódzkie|90-###|51.76|19.46',
    ],
  ],
  'pt-BR': [
    ...[
      'BR|America/Sao_Paulo|BRL',
      '(11) 9####-####|(21) 9####-####|(31) 3###-####',
      'São Paulo|São Paulo|01###-###|-23.55|-46.63',
    ],
    ...[
      'Rio de Janeiro|Rio de Janeiro|20###-###|-22.91|-43.17',
      'Belo Horizonte|Minas Gerais|30###-###|-19.92|-43.94',
    ],
    ...[
      'Salvador|Bahia|40###-###|-12.97|-38.50',
      'Curitiba|Paraná|80###-###|-25.43|-49.27',
      'Porto Alegre|Rio Grande do Sul|90###-###|-30.03|-51.22',
    ],
  ],
  'pt-PT': [
    'PT|Europe/Lisbon|EUR',
    '91# ### ###|21# ### ###',
    'Lisboa|Lisboa|1###-###|38.72|-9.14',
    'Porto|Porto|4###-###|41.15|-8.61',
    'Coimbra|Coimbra|3###-###|40.21|-8.43',
  ],
  ro: [
    'RO|Europe/Bucharest|RON',
    '07## ### ###',
    'București|București|01####|44.43|26.10',
    'Cluj-Napoca|Cluj|40####|46.77|23.60',
    'Iași|Iași|70####|47.16|27.59',
  ],
  'ro-MD': [
    'MD|Europe/Chisinau|MDL',
    '069 ### ###',
    'Chișinău|Chișinău|MD-20##|47.01|28.86',
    'Bălți|Bălți|MD-31##|47.76|27.93',
  ],
  ru: [
    ...[
      'RU|Europe/Moscow|RUB',
      '8 (9##) ###-##-##',
      'Москва|Москва|101###|55.76|37.62',
      'Санкт-Петербург|Санкт-Петербург|190###|59.94|30.31',
    ],
    ...['Казань|Татарстан|420###|55.79|49.12', 'Нижний Новгород|Нижегородская область|603###|56.33|44.00'],
  ],
  sk: [
    'SK|Europe/Bratislava|EUR',
    '090# ### ###',
    'Bratislava|Bratislavský kraj|81# ##|48.15|17.11',
    'Košice|Košický kraj|04# ##|48.72|21.26',
  ],
  'sl-SI': [
    'SI|Europe/Ljubljana|EUR',
    '040 ### ###',
    'Ljubljana|Osrednjeslovenska|1000|46.06|14.51',
    'Maribor|Podravska|2000|46.55|15.65',
  ],
  'sr-Latn-RS': [
    'RS|Europe/Belgrade|RSD',
    '06# ### ####',
    'Beograd|Beograd|11###|44.79|20.45',
    'Novi Sad|Vojvodina|21###|45.27|19.83',
  ],
  sv: [
    ...[
      'SE|Europe/Stockholm|SEK',
      '070-1740 6##|08-465 004 ##',
      'Stockholm|Stockholms län|1## ##|59.33|18.07',
    ],
    ...[
      'Göteborg|Västra Götaland|41# ##|57.71|11.97',
      'Malmö|Skåne|21# ##|55.60|13.00',
      'Umeå|Västerbotten|90# ##|63.83|20.26',
    ],
  ],
  'ta-IN': [
    'IN|Asia/Kolkata|INR',
    '98### #####',
    'சென்னை|தமிழ்நாடு|6000##|13.08|80.27',
    'மதுரை|தமிழ்நாடு|6250##|9.93|78.12',
  ],
  th: [
    'TH|Asia/Bangkok|THB',
    '08#-###-####',
    'กรุงเทพมหานคร|กรุงเทพมหานคร|10##0|13.76|100.50',
    'เชียงใหม่|เชียงใหม่|50##0|18.79|98.99',
    'ภูเก็ต|ภูเก็ต|83##0|7.88|98.39',
  ],
  tr: [
    'TR|Europe/Istanbul|TRY',
    '0532 ### ## ##|0212 ### ## ##',
    'İstanbul|İstanbul|34###|41.01|28.98',
    'Ankara|Ankara|06###|39.93|32.86',
    'İzmir|İzmir|35###|38.42|27.14',
  ],
  uk: [
    'UA|Europe/Kyiv|UAH',
    '067 ### ## ##',
    'Київ|Київ|01###|50.45|30.52',
    'Львів|Львівська область|79###|49.84|24.03',
    'Одеса|Одеська область|65###|46.48|30.72',
  ],
  ur: [
    'PK|Asia/Karachi|PKR',
    '0300 #######',
    'کراچی|سندھ|74###|24.86|67.01',
    'لاہور|پنجاب|54###|31.55|74.34',
  ],
  'uz-Latn-UZ': [
    'UZ|Asia/Tashkent|UZS',
    '90 ### ## ##',
    'Toshkent|Toshkent|1000##|41.30|69.24',
    'Samarqand|Samarqand|1401##|39.65|66.96',
  ],
  vi: [
    'VN|Asia/Ho_Chi_Minh|VND',
    '090# ### ###',
    'Hà Nội|Hà Nội|10####|21.03|105.85',
    'Đà Nẵng|Đà Nẵng|55####|16.05|108.20',
    'Huế|Huế|53####|16.46|107.59',
  ],
  'yo-NG': [
    'NG|Africa/Lagos|NGN',
    '0803 ### ####',
    'Ìbàdàn|Ọ̀yọ́|2002##|7.38|3.95',
    'Èkó|Èkó|1012##|6.52|3.38',
  ],
  'zh-CN': [
    ...[
      'CN|Asia/Shanghai|CNY',
      '13# #### ####|010 #### ####',
      '北京市|北京市|1000##|39.90|116.41',
      '上海市|上海市|2000##|31.23|121.47',
    ],
    ...[
      '广州市|广东省|5100##|23.13|113.26',
      '成都市|四川省|6100##|30.57|104.07',
      '杭州市|浙江省|3100##|30.27|120.16',
    ],
  ],
  'zh-TW': [
    'TW|Asia/Taipei|TWD',
    '09##-###-###|02-####-####',
    '臺北市|臺北市|10###|25.03|121.57',
    '臺中市|臺中市|40###|24.15|120.67',
    '高雄市|高雄市|80###|22.63|120.30',
  ],
  'zu-ZA': ['ZA|Africa/Johannesburg|ZAR', '031 555 ####', 'eThekwini|KwaZulu-Natali|40##|-29.86|31.03'],
};

export interface LocalPlaces {
  /** City, region, ISO 3166-1 code, form of the postcode, latitude, longitude, time zone, currency. */
  readonly cities: readonly string[];
  /** Forms of phone numbers. */
  readonly phones: readonly string[];
}

const COMPILED: ReadonlyMap<string, LocalPlaces> = new Map(
  Object.entries(LOCAL).map(([language, [country = '', phones = '', ...cities]]) => {
    const [code, timeZone, currency] = country.split('|');
    const rows = cities.map((row) => {
      const [city, region, form, latitude, longitude] = row.split('|');
      return [city, region, code, form, latitude, longitude, timeZone, currency].join('|');
    });
    return [language, { phones: phones.split('|'), cities: rows }];
  }),
);

/** Those of a language in BCP 47; undefined: nothing is known of it. */
export const localPlaces = (language: string) => COMPILED.get(language);
