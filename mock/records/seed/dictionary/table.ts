/**
 * What members mean. Each row has the words that end a name, in small letters, and what such a member says: one of the texts
 * between `|`, where `{{person.lastName}}` is a value of faker, `{city}` the city that the object is about, `#` a digit; the
 * name of a method of faker, with its argument; or `@` and a name of `VALUES`. After `?` what the document says comes
 * first; after `~` are English sentences, in the place of which other languages have sentences of faker.
 */
export const MEMBERS = `
first_name given_name forename = @person.first
last_name family_name surname = @person.last
middle_name = person.middleName
full_name real_name legal_name display_name = @fullName
nickname nick screen_name user_name login login_name handle = @userName
email mail email_address mail_address = @email
initials = @initials
phone phone_number phone_no telephone telephone_number mobile mobile_number mobile_phone cell fax fax_number tel msisdn = @phone
job_title job_role occupation profession designation = @jobTitle
gender sex = ?@person.sex
salutation prefix honorific = ?person.prefix
bio biography about about_me self_description = @prose
created_by updated_by modified_by deleted_by assigned_by approved_by authored_by uploaded_by posted_by owned_by = @person
assigned_to reported_by = @person
street street_name street_address address_line address_line_1 address_1 line_1 street_1 = @street
line_2 address_line_2 street_2 address_2 apartment suite unit_number = location.secondaryAddress
house_number building_number street_number = location.buildingNumber
address full_address formatted_address postal_address = @address
zip zip_code postcode postal_code post_code = @place.postcode
city town locality municipality city_name birth_place place_of_birth hometown = @place.city
country_code country_iso iso_country nationality_code = @place.code
country country_name nationality = @country
state_name state_province state_or_province province region region_name administrative_area county district = @place.region
time_zone tz = @place.timeZone
currency currency_code currency_iso iso_currency = @currency
location venue destination origin departure arrival place area neighbourhood neighborhood = @location
coordinates lat_lng lat_lon geo geo_location = @coordinates
avatar profile_image profile_picture profile_photo profile_pic gravatar portrait user_image face = @avatar
image photo picture pic thumbnail thumb cover logo banner poster artwork illustration backdrop hero = @image
emoji reaction = 👍|🎉|❤️|🚀|👀|😄|🐾|🌱
icon icon_name = bell|book|calendar|camera|cart|heart|home|map|star|tag|user
ipv6 ipv6_address = internet.ipv6
ip ip_address ip_addr ipv4 remote_addr = 192.0.2.#|192.0.2.##|198.51.100.##
mac mac_address = internet.mac
user_agent = internet.userAgent
host_name fqdn server_name = web-0#.example.com|db-0#.example.com|mail.example.com|cache-0#.example.com
domain domain_name = {{internet.domainWord}}.example.com
url uri link href web_site website homepage site www blog endpoint src = @url
mime_type media_type content_type = @mediaType
extension ext file_ext file_extension = @extension
file_name attachment_name = @fileName
path file_path directory dir key_path = @path
version version_number version_name semver release = system.semver
sha hash sha_1 commit revision commit_sha = git.commitSha
sha_256 digest = string.hexadecimal {"length":64,"casing":"lower","prefix":""}
md_5 checksum fingerprint etag = string.hexadecimal {"length":32,"casing":"lower","prefix":""}
token api_key secret secret_key certificate jwt nonce signature password passwd passphrase salt session session_id trace_id = @secret
request_id correlation_id cursor = @secret
color colour hex hex_color color_code color_hex background_color text_color = @color
iban = finance.iban
bic swift swift_code = finance.bic
vin = vehicle.vin
plate license_plate number_plate = vehicle.vrm
isbn isbn_13 isbn_10 = commerce.isbn
ean ean_13 gtin upc barcode bar_code = string.numeric {"length":13,"allowLeadingZeros":false}
last_4 last_four = ####
sku number no num nr ref reference serial tracking external_id external_reference article part model_number = @code
code short_code abbreviation acronym symbol iata icao = @code
branch branch_name = main|develop|feature/search|fix/login|release/2.1
language language_code locale lang = ?en|de|fr|es|it|nl|pt|ja
currency_symbol = $
method http_method verb = ?GET|POST|PUT|DELETE
protocol scheme = ?https
platform os operating_system = ?Linux|macOS|Windows|Android|iOS
browser = Chrome|Edge|Firefox|Safari
architecture arch = ?amd64|arm64
cron schedule cron_expression = 0 6 * * *|*/15 * * * *|0 0 * * 1|30 2 1 * *
encoding charset = ?utf-8
token_type = ?Bearer
size dimensions = ?S|M|L|XL
licence license = MIT|Apache-2.0|BSD-3-Clause|GPL-3.0
grade = A|B|C
pronouns gender_identity = she/her|he/him|they/them
blood_type blood_group = A+|A-|B+|AB+|0+|0-
card_type card_brand network = ?Visa|Mastercard|American Express
payment_method payment_type = ?card|bank transfer|cash|invoice
flight flight_number = BA###|KL###|LH####|SQ###
seat gate table slot room_number = #A|#B|1#C|2#D
opening_hours opening_time opens_at open_time = 09:00
closing_hours closing_time closes_at close_time = 18:00
duration length runtime = ## min
weight = # kg|1# kg
status = ?active|active|active|pending|inactive
state = ?@state
stage = ?planned|in progress|done
phase = ?planned|running|done
mode = ?automatic|manual
visibility privacy access = ?public|private
role = ?member|member|editor|admin
priority = ?low|normal|high
severity = ?low|medium|high
level = ?beginner|intermediate|advanced
provider = ?local|github|google
source = ?web|mobile|import
scope = ?read|write
environment = ?production|staging|test
unit = ?piece|kg|box|hour
action event = ?created|updated|deleted
operation = ?create|update|delete
direction = ?in|out
order order_by = ?asc|desc
type kind class = ?@kind
object resource_type = ?@entity
id uuid guid oid uid = @id
key value data = ?@word
slug permalink url_key seo_name = @slug
name title label caption heading headline subject = @name
description desc short_description meta_description summary abstract excerpt synopsis intro introduction overview = @prose
details info information purpose motto plot = @prose
comment note remark memo annotation feedback review reply answer solution = @prose
text content body message markdown html raw plain_text letter = @text
quotation quote sentence paragraph terms policy disclaimer help hint tooltip definition translation meaning = @prose
instruction direction step how_to preparation = @prose
slogan tagline catch_phrase claim = company.catchPhrase
question prompt = ~Which size fits best?|When does it open?|Can I change this later?|What is included?|How long does it take?
reason cause justification explanation = ~Changed plans|Wrong size|Found a better price|Duplicate|No longer needed
error error_message failure_reason last_error = Connection timed out|Certificate has expired|Quota exceeded
`;

/** What a thing is called, by the words that end the name of its schema or of the member that it is. */
export const THINGS = `
pet animal dog cat horse rabbit hamster = @petName
pet_type animal_type pet_kind animal_kind pet_category animal_category species = Bird|Canary|Cat|Dog|Ferret|Fish|Goat|Hamster|Horse|Lizard|Parrot|Rabbit|Snake|Tortoise|Turtle
breed = animal.dog
user person people bidder winner donor volunteer uploader commenter follower friend actor owner author customer client = @fullName
employee member patient student teacher doctor vet contact guest driver player attendee instructor candidate visitor = @fullName
participant recipient sender assignee creator manager reviewer seller buyer holder approver requester reporter = @fullName
subscriber organizer organiser speaker maintainer agent passenger nurse clerk coach trainer keeper captain profile = @fullName
staff lead supervisor borrower reader payer payee cardholder beneficiary = @fullName
artist band singer composer = music.artist
album playlist = music.album
song track = music.songName
genre music_genre = music.genre
book novel publication volume = book.title
book_genre book_category = book.genre
publisher = book.publisher
movie film episode show series video game = The Quiet Harbour|Night Train|The Last Lighthouse|Winter Road|Two Letters|The Island
recipe dish meal menu_item food = food.dish
ingredient topping = food.ingredient
spice = food.spice
fruit = food.fruit
vegetable = food.vegetable
coffee drink beverage tea = Americano|Cappuccino|Chai|Cortado|Espresso|Flat White|Green Tea|Latte|Lungo|Macchiato|Mocha
restaurant cafe bakery bar diner pub canteen = {{person.lastName}}’s Kitchen|{{person.lastName}}’s Table|Bistro {{person.lastName}}
hotel hostel lodge resort accommodation = Hotel {city}|{city} Inn|Grand Hotel {city}
city town municipality capital destination = @place.city
country nation = @country
region province county district territory = @place.region
currency = finance.currencyName
language = {{location.language.name}}
color colour = color.human
material fabric = commerce.productMaterial
element chemical = {{science.chemicalElement.name}}
unit measure = {{science.unit.name}}
bank credit_union = {{person.lastName}} Bank
company organization organisation org vendor supplier merchant manufacturer employer brand agency business partner = @companyName
firm competitor carrier insurer sponsor enterprise workspace tenant provider = @companyName
team club squad crew = {city} Badgers|{city} Falcons|{city} Foxes|{city} Otters|{city} Ravens|{city} Tigers
vehicle car truck bike scooter = vehicle.vehicle
make vehicle_brand = vehicle.manufacturer
vehicle_model car_model = vehicle.model
airline = {{airline.airline.name}}
airport = {{airline.airport.name}}
aircraft airplane plane = {{airline.airplane.name}}
boat ship vessel yacht ferry = Albatross|Aurora|Calypso|Dolphin|Endeavour|Meridian|Nautilus|Northern Star|Petrel|Tern
event conference concert festival meetup exhibition tournament competition race = {city} Book Fair|{city} Jazz Festival|{city} Design Week|{city} Marathon|{city} Film Nights|{city} Tech Summit
station stop terminal = {city} Central|{city} Harbour|{city} Market|{city} North|{city} University
school university college academy institution faculty = University of {city}|{city} Academy|{city} College
hospital clinic practice pharmacy = {city} Hospital|{city} Clinic|{city} Health Centre
museum gallery theatre theater library park cinema stadium monument landmark attraction = {city} Museum|{city} Gallery|{city} Park
store shop branch warehouse outlet location site office depot facility property building venue place market = {city} Store|{city} Arcade|{city} Depot|{city} Market Hall
street road route trail = location.street
plant flower tree herb seed crop variety = Basil|Birch|Camellia|Cherry|Dahlia|Fern|Hazel|Iris|Juniper|Lavender|Maple|Mint|Oak|Rosemary|Thyme
product item good sku merchandise variant part gift inventory stock equipment tool asset accessory offer = @goods
category department catalog collection section aisle segment product_type = @category
book_category novel_category = book.genre
recipe_category dish_category meal_category food_category = Bread|Breakfast|Desserts|Drinks|Main courses|Pasta|Salads|Soups
transaction_category expense_category budget_category account_category = Gifts|Groceries|Housing|Leisure|Salary|Savings|Travel
article_category post_category blog_category news_category = Books|Cities|Design|Food|Health|Music|Science|Sports|Technology|Travel
title post article blog story page news entry thread discussion = ~Ten quiet places to read in {city}|A weekend in {city}|The best breakfast in {city}|How we moved to {city}|Letters from {city}|Where to eat in {city}|A short history of {city}|Winter in {city}|Cycling around {city}|Small museums of {city}|Night trains to {city}
task todo to_do chore reminder checklist_item activity goal objective appointment meeting = Call the landlord about the lease|Plan the summer party|Book flights for the conference|Prepare the quarterly report|Order new chairs|Review the draft of the contract|Renew the insurance|Update the contact list|Send the invoices for May|Interview two candidates|Fix the printer|Write the release notes|Test the backup|Water the plants
issue ticket bug incident defect case request complaint finding problem alert = Checkout fails with an empty coupon|Search ignores umlauts|Export takes more than a minute|Wrong total after a refund|Password reset mail arrives twice|Menu covers the content on small screens|Login loops after the session has ended|Dark mode is hard to read|Sorting by date is unstable|Upload stops at 99 percent|Map shows the wrong city
message notification announcement notice = Backup finished|Build failed|Delivery tomorrow|Disk almost full|Door opened|Meeting moved to Friday|Payment received|Update available|Welcome aboard
folder directory drive bucket notebook = Archive|Contracts|Drafts|Invoices|Marketing|Meeting notes|Music|Photos|Presentations|Projects|Receipts|Recipes|Reports|Templates|Travel
file document attachment upload report scan = @fileName
project initiative epic program programme sprint milestone roadmap = Website relaunch|Mobile app|Office move|Customer survey|Brand refresh|Data warehouse|Onboarding|Summer campaign|Payment migration|Accessibility audit|Help centre
tag keyword label hashtag topic interest hobby = architecture|baking|books|coffee|cooking|cycling|design|film|food|gardening|health|hiking|history|music|nature|photography|science|sports|technology|theatre|travel|wildlife
pet_tag animal_tag dog_tag cat_tag = friendly|house-trained|playful|senior|shy|vaccinated|young|calm
product_tag item_tag offer_tag variant_tag = bestseller|eco|gift|handmade|limited|new|outdoor|sale|summer|winter
task_tag todo_tag issue_tag ticket_tag bug_tag card_tag project_tag task_label issue_label card_label = backend|blocked|bug|design|docs|feature|later|urgent
recipe_tag dish_tag meal_tag food_tag = breakfast|dessert|dinner|gluten-free|quick|spicy|vegan|vegetarian
server_tag node_tag image_tag service_tag host_tag device_tag resource_tag repository_tag = backup|internal|latest|production|stable|test
skill subject course lesson lecture training workshop curriculum = Algebra|Art History|Astronomy|Biology|Creative Writing|Economics|Ethics|Linguistics|Music Theory|Photography|Programming|Psychology|Public Speaking|Statistics|Typography
role position job = Administrator|Editor|Viewer|Owner|Billing manager|Support agent|Auditor|Developer|Guest
permission scope privilege capability right = orders:read|orders:write|products:read|products:write|users:read|users:delete|reports:export
group community audience family household circle = Alumni|Beginners|Book club|Customer support|Developers|Editors|Hiking group|Marketing|Neighbours|Volunteers
plan tier membership subscription tariff pricing = Basic|Business|Enterprise|Family|Free|Plus|Premium|Pro|Starter|Student|Team
campaign newsletter broadcast promotion mailing = Spring sale|Welcome series|Summer newsletter|Loyalty programme|New arrivals|Back to school|Holiday greetings
list board view filter dashboard column lane = Backlog|In review|This week|Waiting|Wish list|Weekly digest|Early adopters|Product updates
channel chat conversation = general|random|announcements|design|support|releases|marketing|off-topic|help
room meeting_room space hall cabin ward = Kitchen #|Hall #|Office ##|Studio #|Workshop #|Room ##
device sensor meter gadget thing appliance gauge detector machine printer = Thermostat ##|Door sensor ##|Smoke detector #|Camera #|Light switch ##|Water meter ##
server host node cluster instance runner container pod vm worker = app-0#|cache-0#|db-0#|edge-1#|mail-0#|queue-0#|web-0#|web-1#|worker-0#
service repository repo app application package library module component artifact function plugin extension integration pipeline workflow deployment namespace stack registry = billing-api|search-worker|mail-gateway|media-store|auth-service|catalog-web|checkout-api|report-cli|chat-client|core-proxy
webhook token key api_key credential secret certificate ssh_key access_token = Backup job|CI|Deploy key|Laptop|Mobile app|Nightly export|Partner access|Staging
template form survey poll quiz questionnaire = Customer feedback|Exit interview|Invoice|Meeting minutes|Onboarding|Order confirmation|Password reset|Welcome mail
order purchase basket cart shipment delivery parcel transfer transaction payment invoice receipt booking reservation quote contract claim batch lot refund statement = @numbered
status state stage phase condition priority severity level = New|In progress|Waiting|Done|On hold|Cancelled|High|Normal|Low
transaction_kind transaction_type movement_type payment_kind = Adjustment|Correction|Deposit|Purchase|Refund|Return|Sale|Transfer
kind type class format mode style model = Standard|Premium|Compact|Classic|Custom|Express|Light|Deluxe|Extended|Seasonal
metric measurement indicator statistic counter = Active users|Average order value|Bounce rate|Conversion rate|Error rate|Load time|Page views|Revenue|Uptime
characteristic feature highlight benefit specification amenity perk quality = Air conditioning|Breakfast included|Dishwasher-safe|Easy to clean|Free shipping|Free Wi-Fi|Made to order|Recyclable|Two-year warranty|Waterproof
attribute field parameter variable option setting preference flag config configuration = colour|currency|dark mode|font size|language|material|notifications|page size|theme|weight
sport league discipline = Athletics|Badminton|Basketball|Cycling|Fencing|Football|Handball|Hockey|Judo|Rowing|Sailing|Swimming|Tennis|Volleyball
planet star moon galaxy = Callisto|Ceres|Europa|Ganymede|Io|Kepler-22b|Mars|Neptune|Proxima b|Rigel|Saturn|Titan|Vega|Venus
badge achievement award reward medal trophy = Early bird|First steps|Night owl|Perfect week|Pathfinder|Team player|Trailblazer|Veteran
coupon voucher discount promo = SPRING10|SUMMER15|WELCOME20|THANKS25|AUTUMN10|FRIENDS15
specialty speciality specialization specialisation = Anaesthesia|Cardiology|Dentistry|Dermatology|Neurology|Oncology|Ophthalmology|Radiology|Surgery
domain zone = {{internet.domainName}}
theme palette color_scheme = Dawn|Forest|Graphite|Midnight|Ocean|Paper|Sand|Solar
`;

/** What texts say, by the words that end the name of the member, behind those of the object: `review_comment`. */
export const TEXTS = `
description desc summary abstract excerpt synopsis intro introduction overview detail info information purpose motto plot instruction direction step how_to preparation quotation quote sentence paragraph term policy disclaimer help hint tooltip definition translation meaning = ~Made in small batches and checked by hand.|A good choice for beginners and professionals.|Popular with families, and open all year.|Close to the station and easy to reach.|Everything that is needed to start, in one place.|Quiet in the morning, busy after work.|Agreed with the team in the last meeting.|Includes a short introduction and three examples.|Needs some care, and gives a lot in return.|Replaces the version of last year.
product_description item_description offer_description variant_description product_summary = ~Made to last, and easy to repair.|Soft to the touch, and tougher than it looks.|Our bestseller, now in three new colours.|Made by hand in a small workshop.|Fits any room, and folds away in seconds.|Light enough to take along, strong enough to stay.|From responsible sources, and packed without plastic.
recipe_description dish_description meal_description food_description = food.description
bio biography about about_me self_description = ~Likes long walks, short meetings and strong coffee.|Writes about food and travel.|Builds small tools that solve big problems.|Grew up by the sea, and never quite left it.|Photographer on weekends, accountant on weekdays.|Reads more books than there is room for.|Twenty years in logistics, still curious.
visit_description appointment_description treatment_description = ~Annual check-up|Vaccination|Follow-up after surgery|Dental cleaning|Blood test|Skin rash|Limping on the left side
comment note remark memo annotation feedback review reply answer solution text content body message = ~Thanks, that helped a lot!|Could you add a picture of the second step?|I had the same problem last week.|Great read, looking forward to the next part.|Not sure that I agree with the last point.|Works for me now.|Can somebody confirm this?|Please have another look at the numbers.
review_comment review_text review_content review_body rating_comment feedback_comment review_message = ~Better than expected, would buy again.|Good quality for the price.|Arrived quickly, exactly as described.|Not bad, but smaller than it looks.|My third one, never disappointed.|The instructions could be clearer.
`;

/** The same of numbers: `1..5` is between, of `~` mostly small ones; `/2` has two decimal places, `*5` are multiples of five. */
export const NUMBERS = `
latitude lat = @place.latitude
longitude lon lng long = @place.longitude
price amount cost fee total subtotal balance charge payment revenue budget deposit rent wage value credit debit spent = @price
turnover income fare premium = @price
salary annual_income = 28..140*1000
tax vat shipping shipping_cost tip discount_amount tax_amount = 1..20/2
rate apr = 0.5..19.5/2
percent percentage pct progress completion discount confidence probability ratio share utilization humidity battery = @share
battery_level accuracy load = @share
rating star average_rating grade = @rating
score point reputation karma xp = 0..1000~
age = 1..85
year year_of_birth year_published year_built = @year
month = 1..12
day day_of_month = 1..28
week weekday day_of_week = 1..7
hour = 0..23
minute = 0..59
duration time length runtime ttl timeout interval delay expires_in = @duration
latency elapsed took response_time latency_ms elapsed_ms took_ms response_time_ms = 5..400~
size bytes content_length memory storage disk quota file_size = 4..4000*1024
width height = @pixels
weight mass = 0.2..40/1
depth thickness diameter radius = 1..200/1
temperature temp = -5..35/1
speed velocity = 5..120
distance mileage odometer kilometers kilometres range = 1..500~
altitude elevation = 1..1500~
pressure = 980..1040
quantity qty unit piece = 1..9~
stock inventory available in_stock on_hand = 0..120~
capacity seat max_participants max_attendees max_members max_players max_guests limit = 1..20*10
serving portion people guest person bedroom bathroom room children adult player = 1..8
calories kcal energy = 8..90*10
population = 20000..4000000~
area square_meters square_feet sqft sqm = 25..240
port = 22|80|443|3000|5432|6379|8080|8443
status state type kind = 0..3
http_status status_code response_code = 200|200|200|201|204|404
floor storey level tier generation = 1..9
priority severity rank position order sort sort_order index sequence line line_number ordinal = 1..12
version revision major minor patch build = 1..9
page word pages words lines = 40..480
count view like vote upvote downvote download comment follower following visit click play fork reply = 0..200~
subscriber member hit read impression attempt retry failure error sale review item result post article = 0..200~
user product task ticket friend favorite favourite booking win loss goal match = 0..200~
phase step round stage = 1..5
cvv pin code number = 100..999
`;

/** How often a flag is true, by parts of its name. */
export const FLAGS: readonly (readonly [share: number, parts: string])[] = [
  [
    0.08,
    'delet archiv bann block disabl suspend lock cancel hidden spam expir fail remov sold_out discontinu revok',
  ],
  [0.08, 'flagged mut error overdue deprecat closed'],
  [
    0.15,
    'favorit favourit liked following starred bookmark pinned featured admin superuser staff internal beta',
  ],
  [0.15, 'premium urgent test dry_run anonymous draft vip bot'],
  [
    0.85,
    'activ enabl availab verifi visible public confirm valid success allow open subscribed in_stock approved',
  ],
  [0.85, 'online published healthy ready current'],
];
