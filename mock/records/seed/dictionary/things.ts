import type { Random } from '#spec';
import { fullName, isMixed, PERSON, petName } from './people.ts';
import { placeOf } from './places.ts';
import {
  isEnglish,
  type Make,
  type Subject,
  shared,
  sharedRandom,
  slugOf,
  titleOf,
  type Words,
} from './subject.ts';
import { tongueOf } from './tongues.ts';

/** One of these, the same for each member of an object. */
const oneOf = (texts: string | readonly string[]): Make => {
  const all = typeof texts === 'string' ? listOf(texts) : texts;
  return (subject) => sharedRandom(subject, 'thing').pick(all);
};

const listOf = (texts: string): readonly string[] => texts.split('|');

const word = (subject: Subject, make: (faker: ReturnType<typeof shared>) => string) =>
  titleOf(make(shared(subject, 'thing')));

const ADJECTIVES = listOf(
  'Amber|Blue|Bright|Crimson|East|First|Golden|Grand|Green|High|Little|Lower|New|North|Old|Quiet|Red|Silver|South|Twin|Upper|West|White|Wild',
);
const NOUNS = listOf(
  'bridge|corner|field|garden|harbour|hill|island|lamp|letter|market|meadow|mill|orchard|paper|path|river|signal|stone|summit|terrace|valley|village|window|workshop',
);
const ANIMALS = listOf('Badgers|Falcons|Foxes|Herons|Lynxes|Otters|Owls|Ravens|Tigers|Wolves');
const TOPICS = listOf(
  'architecture|baking|books|cities|coffee|cooking|cycling|design|drawing|family|film|fitness|food|football|gaming|gardening|health|hiking|history|home|music|nature|news|outdoors|painting|photography|poetry|politics|running|sailing|science|space|sports|summer|technology|theatre|travel|vegan|winter|wildlife',
);
const SUBJECTS = listOf(
  'Algebra|Art History|Astronomy|Biology|Creative Writing|Economics|Ethics|Geology|Linear Algebra|Linguistics|Marine Biology|Music Theory|Organic Chemistry|Photography|Programming|Psychology|Public Speaking|Statistics|Typography|World History',
);
const PARTS = listOf('core|billing|search|mail|media|auth|catalog|checkout|report|chat');
const KINDS = listOf('api|service|worker|gateway|web|cli|sync|store|proxy|client');
const PLANTS = listOf(
  'Basil|Beech|Birch|Camellia|Cherry|Dahlia|Elder|Fern|Foxglove|Hazel|Holly|Iris|Juniper|Lavender|Lilac|Maple|Mint|Oak|Poppy|Rosemary|Rowan|Sage|Thyme|Willow',
);

const pair = (subject: Subject, ...lists: readonly (readonly string[])[]) => {
  const random = sharedRandom(subject, 'thing');
  return lists.map((list) => random.pick(list)).join(' ');
};

/** `web-03`. */
const host = (subject: Subject) => {
  const random = sharedRandom(subject, 'thing');
  return `${random.pick(['app', 'cache', 'db', 'edge', 'mail', 'queue', 'web', 'worker'])}-${String(random.integer(1, 24)).padStart(2, '0')}`;
};

const service = (subject: Subject) => pair(subject, PARTS, KINDS).replace(' ', '-');

const GOODS = listOf(
  'Bamboo Chair:Furniture|Brass Candlestick:Decoration|Canvas Backpack:Travel|Cast-Iron Pan:Kitchen|Ceramic Mug:Kitchen|Copper Kettle:Kitchen|Cotton T-Shirt:Clothing|Denim Jacket:Clothing|Felt Slippers:Clothing|Glass Vase:Decoration|Leather Wallet:Accessories|Linen Shirt:Clothing|Marble Tray:Decoration|Oak Table:Furniture|Paper Lamp:Lighting|Rain Boots:Clothing|Silk Scarf:Accessories|Steel Bottle:Travel|Walnut Desk:Furniture|Wicker Basket:Decoration|Wooden Clock:Decoration|Wool Blanket:Bedroom|Desk Lamp:Lighting|Coffee Grinder:Kitchen|Picnic Blanket:Garden|Bookshelf:Furniture|Headphones:Electronics',
).map((text) => text.split(':') as [name: string, category: string]);
const CATEGORIES = [...new Set(GOODS.map(([, category]) => category))];
const STYLES = listOf(
  'Classic|Compact|Everyday|Foldable|Garden|Handmade|Large|Light|Modern|Nordic|Small|Striped|Travel|Vintage',
);
const goodsOf = (subject: Pick<Subject, 'owner' | 'qualifier'>) => {
  const random = sharedRandom(subject, 'thing');
  const [style, [name, of]] = [random.pick(STYLES), random.pick(GOODS)];
  return { name: `${style} ${name}`, category: of };
};

/** Of faker where it has them in the language, and says something else than in English. */
const goods: Make = (s) => {
  const { commerce, definitions } = shared(s, 'thing');
  const isOwn = !isEnglish(s) && !definitions.commerce.product_name.adjective.includes('Handcrafted');
  return isOwn ? commerce.productName() : goodsOf(s).name;
};

const PETS = listOf(
  'Bird|Canary|Cat|Chinchilla|Dog|Ferret|Fish|Gecko|Goat|Guinea pig|Hamster|Hedgehog|Horse|Lizard|Mouse|Parrot|Pony|Rabbit|Rat|Snake|Tortoise|Turtle',
);
const pet: Make = (s) => sharedRandom(s, 'thing').pick(PETS);

/** What is put on things of this kind, by what has them. */
const TAGS: readonly (readonly [words: RegExp, tags: readonly string[]])[] = [
  [
    /(?:pet|animal|dog|cat|horse)$/,
    [
      'friendly',
      'house-trained',
      'playful',
      'senior',
      'shy',
      'vaccinated',
      'young',
      'calm',
      'good with kids',
    ],
  ],
  [
    /(?:product|item|offer|variant|goods|sku)$/,
    [
      'bestseller',
      'eco',
      'gift',
      'handmade',
      'limited',
      'new',
      'outdoor',
      'sale',
      'summer',
      'vegan',
      'winter',
    ],
  ],
  [
    /(?:task|todo|issue|ticket|bug|card|story|incident|project|case)$/,
    [
      'backend',
      'blocked',
      'bug',
      'design',
      'docs',
      'feature',
      'home',
      'later',
      'office',
      'quick win',
      'urgent',
    ],
  ],
  [
    /(?:recipe|dish|meal|menu_item|food)$/,
    [
      'breakfast',
      'comfort food',
      'dessert',
      'dinner',
      'gluten-free',
      'quick',
      'spicy',
      'vegan',
      'vegetarian',
    ],
  ],
  [
    /(?:user|person|customer|contact|subscriber|lead|member)$/,
    ['early adopter', 'newsletter', 'partner', 'press', 'returning', 'trial', 'vip'],
  ],
  [
    /(?:server|node|image|service|deployment|host|device|resource|collection|repository)$/,
    ['backup', 'blue', 'internal', 'latest', 'production', 'public', 'stable', 'staging', 'test'],
  ],
];
const tag: Make = (s) => {
  const what = /tag|label|keyword/.test(s.entity) ? s.around : s.entity;
  const [, tags = TOPICS] = TAGS.find(([words]) => words.test(what)) ?? [];
  return sharedRandom(s, 'thing').pick(tags);
};

const category: Make = (s) => {
  const what = `${s.entity}_${s.around}`;
  if (/pet|animal/.test(what)) return pet(s);
  if (/book|novel/.test(what)) return shared(s, 'thing').book.genre();
  if (/recipe|dish|meal|menu/.test(what))
    return oneOf('Bread|Breakfast|Desserts|Drinks|Main courses|Pasta|Salads|Soups|Starters')(s);
  if (/transaction|expense|budget|account|pocket/.test(what))
    return oneOf(
      'Eating out|Gifts|Groceries|Health|Housing|Insurance|Leisure|Salary|Savings|Transport|Travel|Utilities',
    )(s);
  if (/article|post|blog|news|note|question|topic|forum/.test(what)) return titleOf(String(topic(s)));
  if (!isEnglish(s)) return shared(s, 'thing').commerce.department();
  // The category of a thing is that of its name.
  const { above } = s.holder;
  return above && IS_GOODS.test(s.around)
    ? goodsOf({ owner: above, qualifier: '' }).category
    : sharedRandom(s, 'thing').pick(CATEGORIES);
};
const IS_GOODS = /(?:^|_)(?:product|item|offer|variant|goods|sku)$/;

/** What is to be done, or was found to be wrong. */
const TASKS = listOf(
  'Call the landlord about the lease|Plan the summer party|Book flights for the conference|Prepare the quarterly report|Order new chairs for the office|Review the draft of the contract|Renew the insurance|Update the contact list|Send the invoices for May|Clean up the shared folder|Interview two candidates|Fix the printer on the second floor|Write the release notes|Translate the welcome mail|Move the archive to the new shelf|Test the backup|Water the plants',
);
const ISSUES = listOf(
  'Checkout fails with an empty coupon|Search ignores umlauts|Export takes more than a minute|Wrong total after a refund|Password reset mail arrives twice|Menu covers the content on small screens|Login loops after the session has ended|Dark mode is hard to read|Images are cut off in the preview|Timezone is ignored in the calendar|Sorting by date is unstable|Upload stops at 99 percent|Notifications cannot be turned off|Page title is missing|Map shows the wrong city',
);
const HEADLINES = listOf(
  'Ten quiet places to read in|What nobody tells you about|A weekend in|The best breakfast in|How we moved to|Walking from the station to the harbour of|Letters from|Where to eat in|A short history of|Winter in|Cycling around|Small museums of|Night trains to',
);
const EVENTS = listOf(
  'Book Fair|Jazz Festival|Design Week|Marathon|Film Nights|Food Market|Tech Summit|Open Studios',
);
const FOLDERS = listOf(
  'Archive|Contracts|Drafts|Holiday 2023|Invoices|Marketing|Meeting notes|Music|Photos|Presentations|Projects|Receipts|Recipes|Reports|Scans|Shared with me|Templates|Travel',
);
const PROJECTS = listOf(
  'Website relaunch|Mobile app|Office move|Customer survey|Brand refresh|Data warehouse|Onboarding|Summer campaign|Payment migration|Accessibility audit|Spring catalogue|Warehouse extension|Help centre',
);
const DEVICES = listOf(
  'Thermostat|Door sensor|Smoke detector|Camera|Light switch|Water meter|Speaker|Charger',
);
const ROOMS = listOf('Kitchen|Hall|Cellar|Office|Garage|Attic|Garden|Lobby|Workshop|Studio');
const LISTS = listOf(
  'Newsletter|Product updates|Beta testers|Early adopters|Weekly digest|Partners|Press|Alumni',
);

const event: Make = (subject) => `${placeOf(subject).city} ${sharedRandom(subject, 'thing').pick(EVENTS)}`;
export const headline: Make = (subject) => {
  const { city } = placeOf(subject);
  const random = sharedRandom(subject, 'thing');
  const { headlines } = tongueOf(subject.library.language) ?? {};
  return headlines ? random.pick(headlines).replace('{city}', city) : `${random.pick(HEADLINES)} ${city}`;
};
export const task = oneOf(TASKS);
export const issue = oneOf(ISSUES);
const topic = oneOf(TOPICS);

/** A name whose words are of two scripts, such as `جراد Inc`, is of no language: then the family it is called after. */
const companyName: Make = (subject) => {
  const name = shared(subject, 'thing').company.name();
  return isMixed(name) ? shared(subject, 'thing').person.lastName() : name;
};

const inPlace =
  (...nouns: readonly string[]): Make =>
  (subject) =>
    `${sharedRandom(subject, 'thing').next() < 0.5 ? placeOf(subject).city : sharedRandom(subject, 'which').pick(ADJECTIVES)} ${sharedRandom(subject, 'noun').pick(nouns)}`;

/** What the name of a thing is, by the words that end the name of its schema. */
const THINGS: Words = {
  '(?:pet|animal|dog|cat|horse|rabbit|hamster)': petName,
  '(?:pet|animal)_?(?:type|kind|categor(?:y|ies))|species': pet,
  breed: (s) => word(s, (faker) => (/cat/.test(s.name + s.entity) ? faker.animal.cat() : faker.animal.dog())),
  [`(?:${PERSON})`]: fullName,
  'artist|band|singer|composer': (s) => shared(s, 'thing').music.artist(),
  'album|record_release|playlist': (s) => shared(s, 'thing').music.album(),
  'song|track': (s) => shared(s, 'thing').music.songName(),
  '(?:music_?)?genre': (s) =>
    /book|novel/.test(s.entity) ? shared(s, 'thing').book.genre() : shared(s, 'thing').music.genre(),
  'book|novel|publication|volume': (s) => shared(s, 'thing').book.title(),
  publisher: (s) => shared(s, 'thing').book.publisher(),
  'movie|film|episode|show|series|video|game': (s) =>
    `The ${pair(s, ADJECTIVES, ['Bridge', 'Harbour', 'House', 'Island', 'Letter', 'Mountain', 'River', 'Road', 'Station', 'Summer', 'Winter'])}`,
  'recipe|dish|meal|menu_item|food|course_dish': (s) => word(s, (faker) => faker.food.dish()),
  'ingredient|topping|spice': (s) => word(s, (faker) => faker.food.ingredient()),
  'fruit|vegetable': (s) => word(s, (faker) => faker.food.fruit()),
  'coffee|drink|beverage|tea': oneOf(
    'Americano|Cappuccino|Chai|Cold Brew|Cortado|Espresso|Flat White|Green Tea|Latte|Lungo|Macchiato|Mocha|Ristretto',
  ),
  'restaurant|cafe|bakery|bar|diner|pub|canteen|kitchen': (s) =>
    `${shared(s, 'thing').person.lastName()}’s ${sharedRandom(s, 'noun').pick(['Kitchen', 'Table', 'Bakery', 'Bistro', 'Diner'])}`,
  'hotel|hostel|lodge|resort|accommodation': (s) => `Hotel ${placeOf(s).city}`,
  'city|town|municipality|capital|destination': (s) => placeOf(s).city,
  'country|nation': (s) => placeOf(s).country,
  'region|province|county|district|territory': (s) => placeOf(s).region,
  currency: (s) => shared(s, 'thing').finance.currencyName(),
  'language|locale': (s) => shared(s, 'thing').location.language().name,
  'colou?r': (s) => word(s, (faker) => faker.color.human()),
  'material|fabric': (s) => shared(s, 'thing').commerce.productMaterial(),
  'element|chemical': (s) => shared(s, 'thing').science.chemicalElement().name,
  'unit|measure': (s) => shared(s, 'thing').science.unit().name,
  'bank|credit_union': (s) => `${shared(s, 'thing').person.lastName()} Bank`,
  'compan(?:y|ies)|organi[sz]ation|org|vendor|supplier|merchant|manufacturer|employer|brand|agency|business|partner|firm|competitor|carrier|insurer|sponsor|client_company|enterprise|workspace|tenant|provider':
    companyName,
  'team|squad|club|crew|group_of_players': (s) =>
    `${placeOf(s).city} ${sharedRandom(s, 'thing').pick(ANIMALS)}`,
  'vehicle|car|truck|bike|scooter': (s) => shared(s, 'thing').vehicle.vehicle(),
  'make|vehicle_?brand': (s) => shared(s, 'thing').vehicle.manufacturer(),
  airline: (s) => shared(s, 'thing').airline.airline().name,
  airport: (s) => shared(s, 'thing').airline.airport().name,
  'aircraft|airplane|plane': (s) => shared(s, 'thing').airline.airplane().name,
  'boat|ship|vessel|yacht|ferry|dinghy': oneOf(
    'Albatross|Aurora|Blue Marlin|Calypso|Dolphin|Endeavour|Kittiwake|Meridian|Nautilus|Northern Star|Petrel|Sea Breeze|Swallow|Tern|Windward',
  ),
  'event|conference|concert|festival|meetup|exhibition|tournament|competition|race|show_event': event,
  'station|stop|terminal': inPlace('Central', 'Harbour', 'Market', 'Museum', 'North', 'Park', 'University'),
  'school|university|college|academy|institution|faculty': inPlace(
    'University',
    'Academy',
    'School of Design',
    'College',
  ),
  'hospital|clinic|practice|pharmacy': inPlace('Hospital', 'Clinic', 'Health Centre'),
  'museum|gallery|theat(?:er|re)|librar(?:y|ies)|park|cinema|stadium|monument|landmark|attraction': inPlace(
    'Museum',
    'Gallery',
    'Park',
    'Theatre',
    'Library',
  ),
  'store|shop|branch|warehouse|outlet|location|site|office|depot|facility|plant_site|property|building|venue|place|market':
    inPlace('Store', 'Depot', 'Market Hall', 'Arcade', 'Warehouse'),
  'street|road|route|trail': (s) => shared(s, 'thing').location.street(),
  'plant|flower|tree|herb|seed|crop|variety': oneOf(PLANTS),
  'product|item|article_of_trade|good|sku|merchandise|variant|part|gift|catalog_item|line_item|order_item|inventory|stock_item|equipment|tool|asset|accessory|offer':
    goods,
  '(?:product_|item_|shop_)?(?:categor(?:y|ies)|department|catalog|collection|section|aisle|segment)':
    category,
  'title|post|article|blog|stor(?:y|ies)|page|news|entry|thread|discussion|publication_post|newsletter_issue':
    headline,
  'task|todo|to_do|chore|action_item|reminder|checklist_item|activity|step|goal|objective|appointment|meeting':
    task,
  'issue|ticket|bug|incident|defect|case|request|complaint|finding|problem|alert|pull_request|merge_request':
    issue,
  'message|notification|announcement|mail|email|notice|push': oneOf(
    'Backup finished|Build failed|Delivery tomorrow|Disk almost full|Door opened|Meeting moved to Friday|New sign-in from Berlin|Payment received|Update available|Welcome aboard',
  ),
  'folder|director(?:y|ies)|drive|bucket|collection_of_files|album_folder|notebook|binder': oneOf(FOLDERS),
  'file|document|attachment|upload|asset_file|report|scan': (s) => fileName(s),
  'project|initiative|epic|program(?:me)?|sprint|milestone|roadmap': oneOf(PROJECTS),
  'tags?|keyword|label|hashtag': tag,
  'topic|interest|hobby': topic,
  'skill|subject|course|lesson|class|lecture|module_of_study|training|workshop|curriculum': oneOf(SUBJECTS),
  'role|position|job': oneOf(
    'Administrator|Editor|Viewer|Owner|Billing manager|Support agent|Auditor|Developer|Guest',
  ),
  'permission|scope|privilege|capability|right': (s) =>
    `${pair(s, ['orders', 'products', 'users', 'reports', 'invoices', 'settings'], ['read', 'write', 'delete', 'export']).replace(' ', ':')}`,
  'group|community|cohort|audience|segment_group|family|household|circle': oneOf(
    'Alumni|Beginners|Book club|Customer support|Developers|Editors|Friends of the park|Hiking group|Marketing|Night shift|Neighbours|Volunteers',
  ),
  'plan|tier|package_plan|membership|subscription|tariff|pricing': oneOf(
    'Basic|Business|Enterprise|Family|Free|Plus|Premium|Pro|Starter|Student|Team',
  ),
  'campaign|newsletter|broadcast|promotion|mailing': oneOf(
    'Spring sale|Welcome series|Summer newsletter|Black Friday|Loyalty programme|New arrivals|Back to school|Free shipping week|Holiday greetings',
  ),
  '(?:mailing_|subscriber_)?list|board|view|filter|dashboard|column|lane|bucket_column': oneOf([
    ...LISTS,
    ...listOf('Backlog|In review|This week|Waiting|Wish list'),
  ]),
  'channel|room_channel|chat|conversation': oneOf(
    'general|random|announcements|design|support|releases|marketing|off-topic|help',
  ),
  'room|meeting_room|space|hall|cabin|ward': (s) =>
    `${pair(s, ROOMS)} ${sharedRandom(s, 'number').integer(1, 24)}`,
  'device|sensor|meter|gadget|thing|appliance|gauge|detector|machine|terminal_device|printer': (s) =>
    `${pair(s, DEVICES)} ${sharedRandom(s, 'number').integer(1, 40)}`,
  'server|host|node|cluster|instance|machine_instance|agent|runner|container|pod|droplet|vm|worker': host,
  'service|repository|repo|app(?:lication)?|package|library_package|module|component|image_repository|artifact|function|plugin|extension|integration|pipeline|workflow|job_definition|deployment|environment|namespace|stack|registry|chart|microservice':
    service,
  'webhook|token|key|api_key|credential|secret|certificate|ssh_key|access_token': oneOf(
    'Backup job|CI|Deploy key|Grafana|Laptop|Mobile app|Nightly export|Partner access|Staging|Zapier',
  ),
  'template|form|survey|poll|quiz|questionnaire': oneOf(
    'Customer feedback|Exit interview|Invoice|Meeting minutes|Onboarding|Order confirmation|Password reset|Project brief|Welcome mail',
  ),
  'order|purchase|basket|cart|shipment|delivery|parcel|transfer|transaction|payment|invoice|receipt|booking|reservation|quote|contract|claim|case_number|batch|lot|refund|statement':
    (s) =>
      `${titleOf(s.entity.split('_').at(-1) ?? 'order')} ${sharedRandom(s, 'number').integer(1001, 9999)}`,
  'status|state|stage|phase|condition|priority|severity|level': oneOf(
    'New|In progress|Waiting|Done|On hold|Cancelled|High|Normal|Low',
  ),
  '(?:transaction|movement|payment)_(?:kind|type)': oneOf(
    'Adjustment|Correction|Deposit|Purchase|Refund|Return|Sale|Transfer',
  ),
  'kind|type|variant_type|class_of|format|mode|style|model|category_type': oneOf(
    'Standard|Premium|Compact|Classic|Custom|Express|Light|Deluxe|Extended|Seasonal',
  ),
  'metric|measurement|indicator|statistic|counter': oneOf(
    'Active users|Average order value|Bounce rate|Conversion rate|Error rate|Load time|Orders per day|Page views|Revenue|Uptime',
  ),
  'characteristic|feature|highlight|benefit|specification|amenity|amenities|perk|quality': oneOf(
    'Air conditioning|Breakfast included|Dishwasher-safe|Easy to clean|Free shipping|Free Wi-Fi|Machine-washable|Made to order|Recyclable|Two-year warranty|Waterproof|Works offline',
  ),
  'attribute|field|parameter|property_name|variable|option|setting|preference|flag|config(?:uration)?': oneOf(
    'colour|currency|dark mode|font size|language|material|notifications|page size|size|theme|time zone|weight',
  ),
  'sport|league|discipline': oneOf(
    'Athletics|Badminton|Basketball|Cycling|Fencing|Football|Handball|Hockey|Judo|Rowing|Sailing|Swimming|Tennis|Volleyball',
  ),
  'planet|star|moon|galaxy|celestial_?body': oneOf(
    'Aldebaran|Callisto|Ceres|Europa|Ganymede|Io|Kepler-22b|Mars|Neptune|Proxima b|Rigel|Saturn|Titan|Triton|Vega|Venus',
  ),
  'badge|achievement|award|reward|medal|trophy': oneOf(
    'Early bird|First steps|Night owl|Perfect week|Pathfinder|Team player|Trailblazer|Veteran',
  ),
  'coupon|voucher|discount|promo': (s) =>
    `${pair(s, ['SPRING', 'SUMMER', 'WELCOME', 'THANKS', 'AUTUMN'], ['10', '15', '20', '25']).replace(' ', '')}`,
  'specialt(?:y|ies)|speciali[sz]ation': oneOf(
    'Anaesthesia|Cardiology|Dentistry|Dermatology|Neurology|Oncology|Ophthalmology|Orthopaedics|Radiology|Surgery',
  ),
  'domain|zone': (s) => shared(s, 'thing').internet.domainName(),
  'color_?scheme|theme|palette': oneOf('Dawn|Forest|Graphite|Midnight|Ocean|Paper|Sand|Solar'),
};

const compiled = Object.entries(THINGS).map(
  ([words, make]) => [new RegExp(`(?:^|_)(?:${words})s?$`), make] as const,
);

/** What a thing of this kind is called; a kind that is not known gives `Silver quarry`. */
export const nameOfThing: Make = (subject) => {
  const known = compiled.find(([pattern]) => pattern.test(subject.entity));
  if (known) return known[1](subject);
  const noun = subject.entity.split('_').at(-1) ?? '';
  if (noun.length < 3) return goods(subject);
  return `${sharedRandom(subject, 'thing').pick(ADJECTIVES)} ${titleOf(noun)}`;
};

/** `meeting-notes.pdf`; its extension is that of a media type beside it. */
export function fileName(subject: Subject): string {
  const name = slugOf(sharedRandom(subject, 'thing').pick([...FOLDERS, ...PROJECTS]));
  return `${name}.${extensionOf(subject)}`;
}

/** Media types and the extensions of their files. */
const FILES: readonly (readonly [type: string, extension: string])[] = [
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['text/csv', 'csv'],
  ['text/plain', 'txt'],
  ['application/zip', 'zip'],
];
const IMAGES = FILES.filter(([type]) => type.startsWith('image/'));

const fileOf = (subject: Subject) => {
  const isPicture = /image|photo|picture|avatar|thumbnail|logo/.test(`${subject.entity}_${subject.name}`);
  return sharedRandom({ ...subject, qualifier: '' }, 'file').pick(isPicture ? IMAGES : FILES);
};

export const mediaTypeOf = (subject: Subject) => fileOf(subject)[0];
export const extensionOf = (subject: Subject) => fileOf(subject)[1];

/** What the object is called: the member `name` beside this one, in the language of what it is. */
export const NAMES: Words = {
  // `itemName` of a menu item says no more than `name`.
  '(?:name|title|label|caption|heading|headline|subject)(?:_text)?': (subject) =>
    nameOfThing(
      subject.qualifier === '' || `_${subject.entity}`.endsWith(`_${subject.qualifier}`)
        ? subject
        : { ...subject, entity: subject.qualifier },
    ),
  'characteristic|feature|highlight|benefit|amenit(?:y|ies)|perk|product|item|song|album|track|book|movie|film|recipe|dish|ingredient|breed|species|brand|company|organi[sz]ation|vendor|supplier|manufacturer|employer|publisher|bank|merchant|team|club|department|categor(?:y|ies)|genre|project|school|university|hospital|hotel|restaurant|store|shop|airline|airport|vehicle|car|make|device|tags?|keywords?|labels?|topics?|skills?|interests?|plan|tier|course|sport|material|fabric|colou?r|language|folder|group|role|station|specialt(?:y|ies)|artist|event|campaign':
    (subject) =>
      nameOfThing({
        ...{ ...subject, around: subject.entity },
        ...{ entity: subject.name, qualifier: subject.name },
      }),
};

/** Where the document says nothing of a text. */
export const plainNoun = (random: Random): string => random.pick(NOUNS);

/** The same in two words. */
export const plainWords = (random: Random): string => `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;

/** Whether it is known what things of this kind are called. */
export function isThing(entity: string): boolean {
  return compiled.some(([pattern]) => pattern.test(entity));
}
