import { memoize } from '../../../http/memoize.ts';
import { lookUp, OF_MEMBERS } from './look-up.ts';
import {
  aboutName,
  fakerOf,
  has,
  isEnglish,
  type Library,
  type Make,
  type Subject,
  setOf,
  shared,
  sharedRandom,
  snakeCase,
} from './subject.ts';

/**
 * Countries (ISO 3166-1) with their calling code (ITU-T E.164) and time zone, and cities of theirs: city, region, form of the
 * postcode, latitude, longitude, another time zone. Of faker they would not agree. After `=` stands what English calls it;
 * cities without are for the country's own languages.
 */
const COUNTRIES = `
US 1 America/New_York; New York=,,100##,40.71,-74.01; Boston=,Massachusetts,021##,42.36,-71.06; Austin=,Texas,787##,30.27,-97.74,America/Chicago; Chicago=,Illinois,606##,41.88,-87.63,America/Chicago; Denver=,Colorado,802##,39.74,-104.99,America/Denver; Portland=,Oregon,972##,45.52,-122.68,America/Los_Angeles; San Francisco=,California,941##,37.77,-122.42,America/Los_Angeles
AM 374 Asia/Yerevan; Երևան,,00##,40.18,44.51; Գյումրի,Շիրակ,31##,40.79,43.85; Վանաձոր,Լոռի,20##,40.81,44.49
AT 43 Europe/Vienna; Wien=Vienna,,10#0,48.21,16.37; Graz,Steiermark,801#,47.07,15.44; Linz,Oberösterreich,402#,48.31,14.29; Salzburg,,502#,47.8,13.05; Innsbruck,Tirol,602#,47.27,11.39; Klagenfurt,Kärnten,902#,46.62,14.31
AU 61 Australia/Sydney; Sydney=,New South Wales,20##,-33.87,151.21; Brisbane,Queensland,40##,-27.47,153.03,Australia/Brisbane; Melbourne=,Victoria,30##,-37.81,144.96,Australia/Melbourne; Perth,Western Australia,60##,-31.95,115.86,Australia/Perth
AZ 994 Asia/Baku; Bakı,,AZ10##,40.41,49.87; Gəncə,,AZ20##,40.68,46.36; Sumqayıt,,AZ50##,40.59,49.67
BE 32 Europe/Brussels; Antwerpen,,20#0,51.22,4.4; Gent,Oost-Vlaanderen,90#0,51.05,3.72; Liège,,40#0,50.63,5.58
BR 55 America/Sao_Paulo; São Paulo,,0####-###,-23.55,-46.63; Rio de Janeiro,,2####-###,-22.91,-43.17; Belo Horizonte,Minas Gerais,3####-###,-19.92,-43.94; Curitiba,Paraná,8####-###,-25.43,-49.27; Salvador,Bahia,4####-###,-12.97,-38.5,America/Bahia; Porto Alegre,Rio Grande do Sul,9####-###,-30.03,-51.23
CA 1 America/Toronto; Toronto=,Ontario,M5V #?#,43.65,-79.38; Ottawa,Ontario,K1P #?#,45.42,-75.7; Montréal,Québec,H2Y #?#,45.5,-73.57; Québec,,G1R #?#,46.81,-71.21; Gatineau,Québec,J8X #?#,45.48,-75.7
CH 41 Europe/Zurich; Zürich=Zurich,,80##,47.37,8.54; Bern,,30##,46.95,7.45; Genève,,12##,46.2,6.14; Lausanne,Vaud,10##,46.52,6.63; Luzern,,60##,47.05,8.31; St. Gallen,,90##,47.42,9.38
CN 86 Asia/Shanghai; 北京市,,1000##,39.9,116.4; 上海市,,2000##,31.23,121.47; 广州市,广东省,5100##,23.13,113.26; 成都市,四川省,6100##,30.57,104.07; 杭州市,浙江省,3100##,30.27,120.16; 西安市,陕西省,7100##,34.34,108.94
CZ 420 Europe/Prague; Praha=Prague,,1## ##,50.08,14.44; Brno,Jihomoravský kraj,6## ##,49.2,16.61; Ostrava,Moravskoslezský kraj,7## ##,49.82,18.26; Plzeň,Plzeňský kraj,3## ##,49.74,13.37
DE 49 Europe/Berlin; Berlin=,,10###,52.52,13.41; Hamburg,,20###,53.55,9.99; München,Bayern,80###,48.14,11.58; Köln,Nordrhein-Westfalen,50###,50.94,6.96; Stuttgart,Baden-Württemberg,70###,48.78,9.18; Leipzig,Sachsen,04###,51.34,12.37; Frankfurt am Main,Hessen,60###,50.11,8.68; Nürnberg,Bayern,90###,49.45,11.08; Kiel,Schleswig-Holstein,24###,54.32,10.14
DK 45 Europe/Copenhagen; København=Copenhagen,Hovedstaden=Capital Region,21##,55.68,12.57; Aarhus,Midtjylland,80##,56.16,10.2; Odense,Syddanmark,50##,55.4,10.4; Aalborg,Nordjylland,90##,57.05,9.92
EG 20 Africa/Cairo; القاهرة,,11###,30.04,31.24; الإسكندرية,,21###,31.2,29.92; الجيزة,,12###,30.01,31.21; بورسعيد,,42###,31.26,32.3; الأقصر,,85###,25.69,32.64; طنطا,الغربية,31###,30.79,31; أسوان,,81###,24.09,32.9
ES 34 Europe/Madrid; Barcelona=,Cataluña=Catalonia,080##,41.39,2.17; Madrid,,280##,40.42,-3.7; Sevilla,Andalucía,410##,37.39,-5.98; Valencia,Comunidad Valenciana,460##,39.47,-0.38; Bilbao,País Vasco,480##,43.26,-2.93; Zaragoza,Aragón,500##,41.65,-0.89
FI 358 Europe/Helsinki; Helsinki,Uusimaa,00#00,60.17,24.94; Tampere,Pirkanmaa,33#00,61.5,23.76; Oulu,Pohjois-Pohjanmaa,90#00,65.01,25.47
FR 33 Europe/Paris; Lyon=,Auvergne-Rhône-Alpes,6900#,45.76,4.84; Paris,Île-de-France,7501#,48.86,2.35; Marseille,Provence-Alpes-Côte d’Azur,1300#,43.3,5.37; Toulouse,Occitanie,31000,43.6,1.44; Nantes,Pays de la Loire,44000,47.22,-1.55; Lille,Hauts-de-France,59000,50.63,3.06; Strasbourg,Grand Est,67000,48.57,7.75; Rennes,Bretagne,35000,48.11,-1.68
GB 44 Europe/London; London=,England,SW# #??,51.51,-0.13; Manchester=,England,M# #??,53.48,-2.24; Edinburgh=,Scotland,EH# #??,55.95,-3.19; Cardiff,Wales,CF1# #??,51.48,-3.18; Belfast,Northern Ireland,BT# #??,54.6,-5.93
GE 995 Asia/Tbilisi; თბილისი,,01##,41.72,44.79; ქუთაისი,იმერეთი,46##,42.25,42.7; ბათუმი,აჭარა,60##,41.65,41.64
GR 30 Europe/Athens; Αθήνα,Αττική,10# ##,37.98,23.73; Θεσσαλονίκη,Κεντρική Μακεδονία,54# ##,40.64,22.94; Πάτρα,Δυτική Ελλάδα,26# ##,38.25,21.73; Ηράκλειο,Κρήτη,71# ##,35.34,25.13
HU 36 Europe/Budapest; Budapest,,1###,47.5,19.04; Debrecen,Hajdú-Bihar,40##,47.53,21.63; Szeged,Csongrád-Csanád,67##,46.25,20.15
ID 62 Asia/Jakarta; Jakarta,DKI Jakarta,10##0,-6.21,106.85; Bandung,Jawa Barat,40##1,-6.91,107.61; Surabaya,Jawa Timur,60##1,-7.25,112.75; Denpasar,Bali,80##1,-8.65,115.22,Asia/Makassar
IE 353 Europe/Dublin; Dublin=,Leinster,D0# ?#??,53.35,-6.26; Cork,Munster,T12 ?#??,51.9,-8.47; Galway,Connacht,H91 ?#??,53.27,-9.05
IL 972 Asia/Jerusalem; תל אביב,,61#####,32.08,34.78; חיפה,,31#####,32.79,34.99; באר שבע,הדרום,84#####,31.25,34.79
IN 91 Asia/Kolkata; Mumbai,Maharashtra,4000##,19.08,72.88; Bengaluru,Karnataka,5600##,12.97,77.59; Chennai,Tamil Nadu,6000##,13.08,80.27
IQ 964 Asia/Baghdad; هەولێر,,44###,36.19,44.01; سلێمانی,,46###,35.56,45.43; دهۆک,,42###,36.87,42.99
IR 98 Asia/Tehran; تهران,,1####-#####,35.69,51.39; اصفهان,,81###-#####,32.65,51.67; شیراز,فارس,71###-#####,29.59,52.58
IT 39 Europe/Rome; Milano=Milan,Lombardia=Lombardy,201##,45.46,9.19; Roma,Lazio,001##,41.9,12.5; Napoli,Campania,801##,40.85,14.27; Torino,Piemonte,101##,45.07,7.69; Bologna,Emilia-Romagna,401##,44.49,11.34; Firenze,Toscana,501##,43.77,11.26
JP 81 Asia/Tokyo; 京都市=Kyoto,京都府=Kyoto,60#-####,35.01,135.77; 千代田区,東京都,10#-####,35.69,139.75; 大阪市,大阪府,53#-####,34.69,135.5; 札幌市,北海道,06#-####,43.06,141.35; 名古屋市,愛知県,46#-####,35.18,136.91; 横浜市,神奈川県,22#-####,35.44,139.64; 福岡市,福岡県,81#-####,33.59,130.4; 仙台市,宮城県,98#-####,38.27,140.87
KE 254 Africa/Nairobi; Nairobi=,,00###,-1.29,36.82
KR 82 Asia/Seoul; 서울특별시,,04###,37.57,126.98; 부산광역시,,48###,35.18,129.08; 수원시,경기도,16###,37.26,127.03; 대구광역시,,41###,35.87,128.6; 전주시,전라북도,54###,35.82,127.15
MD 373 Europe/Chisinau; Chișinău,,MD-20##,47.01,28.86; Bălți,,MD-31##,47.76,27.93; Cahul,,MD-39##,45.9,28.19
MN 976 Asia/Ulaanbaatar; Улаанбаатар,,14###,47.89,106.91; Эрдэнэт,Орхон,61###,49.03,104.04; Дархан,Дархан-Уул,45###,49.49,105.92
MV 960 Indian/Maldives; މާލެ,,20###,4.18,73.51; ފުވައްމުލައް,,18###,-.3,73.43; ހިތަދޫ,އައްޑޫ,19###,-.6,73.08
MX 52 America/Mexico_City; Ciudad de México,,06###,19.43,-99.13; Guadalajara,Jalisco,44###,20.66,-103.35; Puebla,,72###,19.04,-98.21; Monterrey,Nuevo León,64###,25.69,-100.32,America/Monterrey; Oaxaca,,68###,17.07,-96.73
NG 234 Africa/Lagos; Lagos,,10####,6.52,3.38; Ibadan,Oyo,20####,7.38,3.95; Kano,,70####,12,8.52; Abeokuta,Ogun,11####,7.16,3.35
NL 31 Europe/Amsterdam; Amsterdam=,Noord-Holland=North Holland,10## ??,52.37,4.9; Rotterdam,Zuid-Holland,30## ??,51.92,4.48; Utrecht,,35## ??,52.09,5.12; Eindhoven,Noord-Brabant,56## ??,51.44,5.47; Groningen,,97## ??,53.22,6.57
NO 47 Europe/Oslo; Oslo=,,01##,59.91,10.75; Bergen,Vestland,50##,60.39,5.32; Trondheim,Trøndelag,70##,63.43,10.4; Tromsø,Troms,90##,69.65,18.96
PK 92 Asia/Karachi; کراچی,سندھ,74###,24.86,67; لاہور,پنجاب,54###,31.55,74.34; پشاور,خیبر پختونخوا,25###,34.02,71.52
PL 48 Europe/Warsaw; Warszawa,mazowieckie,00-###,52.23,21.01; Kraków,małopolskie,30-###,50.06,19.94; Łódź,łódzkie,90-###,51.76,19.46; Wrocław,dolnośląskie,50-###,51.11,17.04; Poznań,wielkopolskie,60-###,52.41,16.93; Gdańsk,pomorskie,80-###,54.35,18.65
PT 351 Europe/Lisbon; Lisboa=Lisbon,,1###-###,38.72,-9.14; Porto,,4###-###,41.15,-8.61; Braga,,47##-###,41.55,-8.43; Coimbra,,30##-###,40.21,-8.43; Faro,,80##-###,37.02,-7.93; Aveiro,,38##-###,40.64,-8.65
RO 40 Europe/Bucharest; București,,01####,44.43,26.1; Cluj-Napoca,Cluj,40####,46.77,23.59; Iași,,70####,47.16,27.59; Brașov,,50####,45.66,25.61
RU 7 Europe/Moscow; Москва,,101###,55.76,37.62; Санкт-Петербург,,191###,59.94,30.31; Казань,Республика Татарстан,420###,55.8,49.11; Екатеринбург,Свердловская область,620###,56.84,60.61,Asia/Yekaterinburg; Тула,Тульская область,300###,54.19,37.62
SE 46 Europe/Stockholm; Stockholm=,,1## ##,59.33,18.07; Göteborg,Västra Götaland,41# ##,57.71,11.97; Malmö,Skåne,21# ##,55.6,13; Uppsala,,75# ##,59.86,17.64; Umeå,Västerbotten,90# ##,63.83,20.26; Örebro,,70# ##,59.27,15.21
SK 421 Europe/Bratislava; Bratislava,Bratislavský kraj,81# ##,48.15,17.11; Košice,Košický kraj,04# ##,48.72,21.26; Žilina,Žilinský kraj,01# ##,49.22,18.74
SN 221 Africa/Dakar; Dakar,,1####,14.69,-17.45; Thiès,,2####,14.79,-16.93; Saint-Louis,,32###,16.03,-16.5
TH 66 Asia/Bangkok; กรุงเทพมหานคร,,10##0,13.76,100.5; เชียงใหม่,,50##0,18.79,98.98; ขอนแก่น,,40##0,16.44,102.83; ภูเก็ต,,83##0,7.89,98.4
TR 90 Europe/Istanbul; İstanbul,,34###,41.01,28.98; Ankara,,06###,39.93,32.86; İzmir,,35###,38.42,27.14; Bursa,,16###,40.19,29.06
TW 886 Asia/Taipei; 台北市,,10####,25.03,121.57; 台中市,,40####,24.15,120.67; 高雄市,,80####,22.63,120.3; 台南市,,70####,22.99,120.2
UA 380 Europe/Kyiv; Київ,,01###,50.45,30.52; Львів,Львівська область,79###,49.84,24.03; Одеса,Одеська область,65###,46.48,30.73
UZ 998 Asia/Tashkent; Toshkent,,1000##,41.3,69.24; Samarqand,,1401##,39.65,66.96; Buxoro,,2001##,39.77,64.42
VN 84 Asia/Ho_Chi_Minh; Hà Nội,,10###,21.03,105.85; Thành phố Hồ Chí Minh,,70###,10.82,106.63; Đà Nẵng,,50###,16.05,108.2; Cần Thơ,,90###,10.05,105.75
BD 880 Asia/Dhaka; ঢাকা,,1###,23.81,90.41; চট্টগ্রাম,,4###,22.36,91.78; খুলনা,,9###,22.82,89.55
GH 233 Africa/Accra; Accra,Greater Accra,GA-###-####,5.6,-.19; Kumasi,Ashanti,AK-###-####,6.69,-1.62; Tamale,Northern,NT-###-####,9.4,-.84
HK 852 Asia/Hong_Kong; Wan Chai,Hong Kong Island,999077,22.28,114.17; Mong Kok,Kowloon,999077,22.32,114.17; Sha Tin,New Territories,999077,22.38,114.19
HR 385 Europe/Zagreb; Zagreb,Grad Zagreb,10###,45.8,16; Split,Splitsko-dalmatinska,21###,43.51,16.44; Rijeka,Primorsko-goranska,51###,45.33,14.44; Osijek,Osječko-baranjska,31###,45.55,18.69
LU 352 Europe/Luxembourg; Luxembourg,,1###,49.61,6.13; Esch-sur-Alzette,,4###,49.5,5.98; Ettelbruck,Diekirch,9###,49.85,6.1
LV 371 Europe/Riga; Rīga,,LV-10##,56.95,24.11; Liepāja,,LV-34##,56.51,21.01; Daugavpils,,LV-54##,55.87,26.54
MK 389 Europe/Skopje; Скопје,,10##,41.99,21.43; Битола,,70##,41.03,21.33; Охрид,,60##,41.12,20.8
NP 977 Asia/Kathmandu; काठमाडौं=Kathmandu,बागमती=Bagmati,44###,27.72,85.32; पोखरा=Pokhara,गण्डकी=Gandaki,33###,28.21,83.99; विराटनगर=Biratnagar,कोशी=Koshi,56###,26.45,87.27
RS 381 Europe/Belgrade; Beograd,,11###,44.8,20.47; Novi Sad,Južnobački okrug,21###,45.27,19.83; Niš,Nišavski okrug,18###,43.32,21.9
SI 386 Europe/Ljubljana; Ljubljana,Osrednjeslovenska,10##,46.06,14.51; Maribor,Podravska,20##,46.55,15.65; Koper,Obalno-kraška,60##,45.55,13.73
ZA 27 Africa/Johannesburg; Johannesburg,Gauteng,20##,-26.2,28.05; Cape Town,Western Cape,80##,-33.92,18.42; Durban,KwaZulu-Natal,40##,-29.86,31.02; Bloemfontein,Free State,93##,-29.12,26.21
`;

/** `latitude` and `longitude` in degrees (WGS 84). */
export type Place = Readonly<
  Record<'code' | 'calling' | 'timeZone' | 'city' | 'region' | 'postcode', string> &
    Record<'latitude' | 'longitude', number>
>;

/** Undefined in English: it stands in no English document. */
type City = Place & { readonly english: Pick<Place, 'city' | 'region'> | undefined };

const CITIES = COUNTRIES.trim()
  .split('\n')
  .flatMap((row): City[] => {
    const [head = '', ...cities] = row.split('; ');
    const [code = '', calling = '', zone = ''] = head.split(' ');
    return cities.map((text) => {
      const [names = '', regions = '', postcode = '', latitude, longitude, timeZone = zone] = text.split(',');
      const [city = '', called] = names.split('=');
      const [region = city, ofRegion] = (regions || city).split('=');
      const own = { city: called || city, region: ofRegion || (regions && region) || called || city };
      return {
        ...{ code, calling, timeZone, city, region, postcode },
        ...{ latitude: Number(latitude), longitude: Number(longitude) },
        english: called === undefined ? undefined : own,
      };
    });
  });

/** What says where a thing is, and no more: `{ address: { geo: { lat } } }` is the latitude of what has the address. */
const WHERE = setOf('@address @coordinates @location');

function whoseOf({ owner, qualifier, entity }: Subject): Pick<Subject, 'owner' | 'qualifier'> {
  const within = (name: string) => {
    const found = lookUp(snakeCase(name), OF_MEMBERS);
    return found && WHERE.has(found.what) ? found.qualifier : undefined;
  };
  const isOwn = `_${entity}`.endsWith(`_${qualifier}`);
  const words = isOwn ? '' : (within(qualifier) ?? qualifier);
  let at = { owner, qualifier: words };
  for (let own = within(owner.name); own !== undefined && at.owner.above; own = within(at.owner.name))
    at = { owner: at.owner.above, qualifier: [own, at.qualifier].filter(Boolean).join('_') };
  return at;
}

/** The cities of the country of a language; of one that is spoken in several, or in none that is known, those of English. */
const landOf = memoize(({ language }: Library) => {
  const tag = new Intl.Locale(language);
  const isAnywhere = tag.language === 'en' && tag.region === undefined;
  const own = isAnywhere ? [] : CITIES.filter(({ code }) => code === tag.maximize().region);
  const all = own.length > 0 ? own : CITIES.filter(({ english }) => english);
  const isInEnglish = all !== own || tag.language === 'en';
  const known = all.map((city): Place => ({ ...city, ...(isInEnglish && city.english) }));
  return { known, names: new Intl.DisplayNames([language], { type: 'region' }) };
});

/** The place that an object is about: members of one object, and of addresses in it, belong together. */
export function placeOf(subject: Subject): Place {
  const random = sharedRandom(whoseOf(subject), 'place');
  const at = random.pick(landOf(subject.library).known);
  const near = (degrees: number) => Math.round((degrees + (random.next() - 0.5) / 10) * 1e4) / 1e4;
  return {
    ...at,
    ...{ latitude: near(at.latitude), longitude: near(at.longitude) },
    postcode: subject.library.from(random).helpers.replaceSymbols(at.postcode),
  };
}

/** ISO 4217. Most services have one; of an account abroad it is that of the country. */
export function currencyOf(subject: Subject): string {
  const isOne = subject.library.language === 'en' && !has(subject, 'country', 'country_code', 'iban');
  const { code } = isOne ? { code: 'US' } : placeOf(subject);
  const { currency: all } = fakerOf(subject).definitions.finance;
  return code === 'SN' ? 'XOF' : (all.find((one) => one.code.startsWith(code))?.code ?? 'EUR');
}

const streetOf = (subject: Subject) => shared(subject, 'street').location.streetAddress();

export const OF_PLACES: Readonly<Record<string, Make>> = {
  ...{ currency: currencyOf, street: streetOf },
  location: (subject) => placeOf(subject).city,
  /** Another place than that of the object. */
  elsewhere: (subject) => placeOf(aboutName(subject)).city,
  coordinates: (subject) => `${placeOf(subject).latitude},${placeOf(subject).longitude}`,
  /** A code where the schema has no room for a name. */
  country(subject) {
    const { code } = placeOf(subject);
    const isShort = subject.shape.examples.some((one) => /^[A-Z]{2}$/.test(String(one)));
    if (isShort || (subject.shape.lowest('maxLength') ?? 99) <= 3) return code;
    return landOf(subject.library).names.of(code) ?? code;
  },
  address(subject) {
    const street = streetOf(subject);
    if (has(subject, 'city')) return street;
    const { city, postcode } = placeOf(subject);
    const isLargeFirst = /^(?:ja|zh)/.test(subject.library.language);
    return isLargeFirst ? `${postcode} ${city}${street}` : `${street}, ${postcode} ${city}`;
  },
  /** As people of the country write it, where faker has its form; else ITU-T E.164. */
  phone(subject) {
    const { language } = subject.library;
    const isOne = language === 'en' && !has(subject, 'country', 'country_code', 'city');
    const { calling } = isOne ? { calling: '1' } : placeOf(subject);
    const { phone, helpers, definitions } = shared(subject, 'phone');
    // What a language lacks faker has in American.
    const isAmerican = definitions.phone_number.format.international[0]?.startsWith('+1');
    if (isAmerican !== (calling === '1')) return `+${calling}${helpers.fromRegExp('[2-9][0-9]{8}')}`;
    return phone.number({ style: language === 'en' ? 'international' : 'national' });
  },
  /** Of the country, unless it has none. */
  iban(subject) {
    const isAbroad = has(subject, 'country', 'country_code') || !isEnglish(subject);
    const countryCode = isAbroad ? placeOf(subject).code : '';
    const { finance } = fakerOf(subject);
    try {
      return finance.iban({ countryCode });
    } catch {
      return finance.iban();
    }
  },
  /** That of the records, with the country where the member is a locale. */
  language({ library, name, random }) {
    if (library.language === 'en') return random.pick(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja']);
    const { language, region } = new Intl.Locale(library.language).maximize();
    return name.endsWith('locale') ? `${language}-${region}` : language;
  },
};
