import { en } from '@faker-js/faker';

const listOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What may bear the name of a person: people, animals, boats, and works of art. In the singular. */
export const WHO = listOf(`
  account actor admin administrator agent animal artist assignee attendee author authority baker boss buyer captain cat child
  client coach collaborator commenter contact contributor cook courier crew customer doctor dog donor driver editor employee
  engineer follower friend guest horse identity individual influencer instructor keeper kitten landlord lead leader learner
  lecturer lodger maintainer manager member mentor musician nurse officer organizer organiser owner passenger patient payee
  payer performer person people pet player poster principal professor profile puppy recipient reporter resident reviewer rider
  sailor seller sender signatory singer skipper speaker sponsor staff student subscriber supporter teacher teammate technician
  tenant tourist trainee trainer traveller traveler tutor uploader user vet veterinarian viewer visitor volunteer walker
  winner worker writer creature companion boat vessel ship yacht dinghy book novel album song film movie bearer borrower
  reader helper billing shipping mate beneficiary cardholder holder bidder
`);

/** First names that name other things as well. */
const ALSO_THINGS = listOf(`
  amber america angel april camellia dahlia juniper rowan art ash asia august aurora austin autumn axel baby basil bay bell bella berry bill billy bliss bob
  brandy brant breeze brittany brook brooks brown buck buddy candy carol cedar chad charity charlotte chase chelsea cherry
  china chip christian clay clementine cleveland clifford coral crystal daisy dale dallas dawn dean delta destin destiny devon
  diamond dixie dock dolly dominique don dora dusty earl earnest easter eden ella elm ember emerald ethyl eve ever faith fern
  flora florence florida ford forest francisco frank general georgia german ginger glen gloria golden grace grant green gust
  guy haven hazel heath heather heaven holly hope houston hunter india iris israel iva ivory ivy jack jackson jade jasmine
  jasper jersey jewel jordan joy june junior justice kale karma kay keen kelvin kenya king kip lane laurel leone lily lincoln
  london lora lotus lucky luna madison major marina mark marvin mason max may melody mercury mercy merle merlin mia micah
  miles milo mint missouri misty mollie monday money montana morgan myrtle nova oasis ocean olive opal orion paris parker
  patience peace pearl penny peter phoenix pink piper poppy porter precious price prince princess quinn rain rainbow raven ray
  red reed reese reggie rex rich river robin rock rocky roger roman rose rosemary royal ruby rusty sage sandy saturn savannah
  scarlet scotland shadow shane sheridan sienna sierra silver sky skye sonny star stark sterling stone storm summer sunny
  sunshine sydney teal thor tiffany tom topaz trace travis trinity trump unique urban valentine van venus verona vesta
  victoria viola violet virginia viva wade ward watson west wilderness will willow winston winter wood york young zion
`);

/** Names in other scripts and with marks of all kinds, as tests of clients use them. */
const OTHER_NAMES = `
d'artagnan|ma'alin|zoë|łukasz|nguyễn thị ánh|ŋũgĩ|ağaoğlu|ελένη|дмитрий|անահիտ|नेहा|ใบเตย|さくら|小花|하늘|שָׂרָה|محمد الأمين|o’malley
`.trim();

const TOWNS = new Set((en.location?.city_name ?? []).map((name) => name.toLowerCase()));

/** Of the library that has the longest list of them at hand. Lower case. */
const FIRST_NAMES: ReadonlySet<string> = new Set([
  ...['female', 'male', 'generic'].flatMap((one) => namesOf('first_name', one)),
  ...OTHER_NAMES.split('|'),
]);

const LAST_NAMES: ReadonlySet<string> = new Set(namesOf('last_name', 'generic'));

function namesOf(list: string, part: string): string[] {
  const all = (en.person as unknown as Record<string, Record<string, readonly string[]>>)[list]?.[part] ?? [];
  return all.map((name) => name.toLowerCase()).filter((name) => !ALSO_THINGS.has(name) && !TOWNS.has(name));
}

/** A first name alone, or before a last name. */
export function isFirstName(text: string): boolean {
  if (/^\p{Ll}/u.test(text)) return false;
  const [first = '', last, ...more] = text.toLowerCase().split(' ');
  if (last === undefined) return FIRST_NAMES.has(first);
  return (
    FIRST_NAMES.has(text.toLowerCase()) ||
    (more.length === 0 && FIRST_NAMES.has(first) && LAST_NAMES.has(last))
  );
}

/** Words of lorem ipsum that are in no English text. */
const LATIN = listOf(`
  abbas abduco abeo abscido absens absorbeo absque abstergo absum abundans abutor accedo accendo acceptus accommodo accusamus
  accusantium accusator acer acerbitas acervus acidus acies acquiro acsi adamo adaugeo addo adduco ademptio adeo adeptio
  adfectus adfero adficio adflicto adhaero adhuc adicio adimpleo adinventitias adipisci adipiscing adipiscor adiuvo
  administratio admiratio admitto admoneo admoveo adnuo adsidue adstringo adsuesco adsum adulatio adulescens aduro advenio
  adversus advoco aedificium aeger aegre aegrotatio aegrus aeneus aequitas aequus aestas aestivus aestus aetas aeternus aggero
  agnitio agnosco aiunt alienus alii alioqui aliqua aliquam aliquid aliquip alius allatus alveus amaritudo amet amicitia
  amiculum amissio amitto amoveo amplexus amplitudo amplus ancilla angulus angustus animadverto animi antepono antiquus
  aperiam aperio aperte appello appono appositus approbo apto aptus apud aranea arbitro arbustum arceo arcesso architecto
  argentum argumentum arguo armarium artificiose arto ascisco ascit asperiores aspernatur aspicio asporto assentator assumenda
  atavus atque atqui atrocitas attero attollo attonbitus auctor auctus audacia audentia audeo aufero aureus aurum autem autus
  auxilium avaritia avarus aveho averto baiulus balbus barba bardus basium beatae beatus bellicus bellum beneficium
  benevolentia benigne bibo blandior blanditiis brevis caecus caelestis caelum calcar calco callide canonicus capillus capio
  capitulus capto caput carbo careo caries cariosus caritas carpo carus caste casus catena caterva cattus causa caute caveo
  cavus cedo cena cenaculum cerno cernuus certus cervus chirographum cibo cibus cicuta cilicium cillum cimentarius ciminatio
  cinis circumvenio civis clamo clarus claudeo claustrum clibanus coadunatio coaegresco coepi coerceo cogito cognatus cognomen
  cohaero cohibeo cohors colligo collum combibo comburo comedo cometes comitatus commemoro comminor commodi commodo communis
  comparo compello complectus compono comprehendo comptus conatus concedo concido conculco condico conduco confero confido
  conforto confugo congregatio conicio coniecto conitor coniuratio conscendo consectetur consequat consequatur consequuntur
  conservo considero conspergo constans consuasor contabesco contego contigo conturbo conventus convoco copiose cornu corporis
  correptius corrigo corroboro corrumpo corrupti coruscus cotidie crapula cras crastinus creber crebro creptio crepusculum
  cresco cribro crinis cruciamentum crudelis cruentus crur crustulum cubicularis cubitum cubo cuius culpa culpo cultellus
  cultura cumque cunabula cunae cunctatio cupiditas cupiditate cupio cuppedia cupressus curatio curatur curiositas curis curso
  cursim curto curtus curvo custodia cupidatat damnatio damno dapifer debeo debilito debitis decens decerno decet decimus
  decipio decretum decumbo dedecor dedico deduco defaeco defendo defero defessus defetiscor deficio defleo defluo defungo
  degenero degero degusto deinde delectatio delectus delego deleniti deleo delibero delinquo deludo demens demergo demitto
  demonstro demoror demulceo demum denego denique denuncio denuo deorsum depereo depono depopulo deporto depraedor deprecator
  deprimo depromo depulso deputo derelinquo derideo deripio deserunt desidero desino desipio desolo desparatus despecto dicta
  dignissimos distinctio dolor dolore dolorem doloremque doloribus dolorum ducimus duis eaque earum eius eiusmod eligendi enim
  eos esse eveniet excepteur excepturi exercitation exercitationem expedita explicabo facere facilis fugiat fugit harum illo
  illum impedit incididunt incidunt infit inventore ipsa ipsam ipsum irure iste itaque iure iusto labore laboriosam laboris
  laborum laudantium lorem magnam magni maiores minima modi molestiae molestias mollit mollitia natus necessitatibus nemo
  neque nesciunt nihil nisi nobis nostrud nostrum nulla numquam occaecat occaecati odio odit officia officiis omnis optio
  pariatur patior patria patrocinor patruus paulatim peccatus pecco pecto pectus pecus perferendis perspiciatis placeat porro
  possimus praesentium proident provident quae quaerat quam quas quasi quia quibusdam quidem quis quisquam quod quos
  recusandae reiciendis repellat repellendus reprehenderit repudiandae rerum saepe sapiente sequi similique solio solitudo
  solium sollers sollicito solum solus soluta solutio solvo somniculosus somnus sonitus sophismata sordeo sortitus spargo
  speciosus spectaculum speculum sperno spero spiculum spiritus spoliatio sponte stabilis statim statua stillicidium stipes
  strenuus strues studio stultus suadeo suasoria subito subiungo subnecto subseco subvenio succedo succurro sufficio suffoco
  suffragium suggero sulum summisse summopere sumptus sunt supellex suppellex supplanto suppono supra surculus surgo sursum
  suscipio suscipit suspendo sustineo suus tabella tabernus tabesco tabgo tabula taceo tactus talio talus tamdiu tamen tametsi
  tamisium tamquam tantillus tantum tardus tego temeritas temperantia templum tempor tempora tempore temporibus temptatio
  tendo teneo tenetur tenuis tenus tepesco tepidus terebro teres terga tergeo tergiversatio tergo tergum termes terminatio
  terreo territo tersus tertius testimonium textilis textor textus thalassinus theatrum thema theologus thermae thymbra thymum
  tibi timidus titulus tolero tollo tondeo tonsor torqueo totam totidem toties totus tracto trado traho tredecim tremo trepide
  tribuo tricesimus triduana tripudio tristis triumphus trucido truculenter tubineus tumultus turba turpis tutamen tutis
  tyrannus uberrime ubi ulciscor ullam ullamco ullus ulterius ultio umerus umquam unde undique universe unus urbanus uredo
  usitas usque ustilo ustulo usus uterque utilis utique utor utpote utrimque utroque utrum uxor vaco vacuus vado valde valeo
  valetudo validus vallum vapulus varietas varius vehemens velit velociter velum velut veniam venio ventito ventosus ventus
  venustas verbera verbum verecundia vereor vergo veritatis verto verumtamen verus vesco vesica vespillo vester vestigium
  vestrum vetus vicinus vicissitudo victus viduo vigilo vilicus vilis vilitas vinco vinculum vindico vinitor vinum virga
  viridis viriliter virtus viscus vitae vitiosus vitium vobis vociferor voco volaticus volo volubilis voluntarius volup
  voluptas voluptate voluptatem voluptates voluptatibus voluptatum volutabrum volva vomer vomito vorago vorax voro votum voveo
  vulariter vulgaris vulgivagus vulgo vulgus vulnero vulnus vulpes vulticulus xiphias
`);

/** What is Latin in a text; undefined: nothing. */
export function latinIn(text: string): string | undefined {
  return wordsIn(text).find((word) => LATIN.has(word));
}

/** Words that syllables happen to make. */
const REAL_WORDS = listOf(
  'baba bade base basic basil basin basis code delay deno detox fino laden lagorai lapel mimic minor mira node nodes rabat side sided sides similar toto',
);

const SYLLABLES = /^(?:ba|de|fi|go|ku|la|mi|no|pe|ra|si|to|vu|we|za){2,}[a-z]?$/;

/** The word of a text that is made of syllables and means nothing; undefined: there is none. */
export function syllablesIn(text: string): string | undefined {
  return text.match(/\p{L}+/gu)?.find((word) => {
    // What begins with a capital may be the name of somebody: Kulas, Tobar.
    const isName =
      /^\p{Lu}\p{Ll}{1,5}$/u.test(word) ||
      FIRST_NAMES.has(word.toLowerCase()) ||
      LAST_NAMES.has(word.toLowerCase());
    return !isName && SYLLABLES.test(word.toLowerCase()) && !REAL_WORDS.has(word.toLowerCase());
  });
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
