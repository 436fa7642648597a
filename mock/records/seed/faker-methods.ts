/** The method of faker that gives a realistic value for a member of this name; the first match wins. */
export const STRING_METHODS: readonly (readonly [name: RegExp, method: string])[] = [
  [/^(?:first_?name|given_?name|name|nick_?name)$/i, 'person.firstName'],
  [/^(?:last_?name|family_?name|surname)$/i, 'person.lastName'],
  [/^(?:full_?name|display_?name|owner|author|customer|contact)$/i, 'person.fullName'],
  [/^(?:user_?name|login|handle)$/i, 'internet.username'],
  [/e_?mail/i, 'internet.exampleEmail'],
  [/(?:phone|mobile|fax)/i, 'phone.number'],
  [/(?:job|position|occupation)/i, 'person.jobTitle'],
  [/(?:company|organi[sz]ation|vendor|supplier|manufacturer|employer)/i, 'company.name'],
  [/country_?code$/i, 'location.countryCode'],
  [/country/i, 'location.country'],
  [/(?:^city|_city|City|^town)$/, 'location.city'],
  [/(?:zip|postal|postcode)/i, 'location.zipCode'],
  [/(?:street|address)/i, 'location.streetAddress'],
  [/time_?zone/i, 'location.timeZone'],
  [/^(?:title|subject|headline|label|caption)$/i, 'lorem.words'],
  [
    /^(?:description|summary|bio|about|comments?|notes?|remarks?|text|content|body|message|review)$/i,
    'lorem.sentence',
  ],
  [/^(?:colou?r)$/i, 'color.human'],
  [/currency/i, 'finance.currencyCode'],
  [/^(?:iban)$/i, 'finance.iban'],
  [/^(?:product|item)(?:_?name)?$/i, 'commerce.productName'],
  [/department/i, 'commerce.department'],
  [/isbn/i, 'commerce.isbn'],
  [/slug/i, 'lorem.slug'],
  [/^(?:tags?|keywords?)$/i, 'word.noun'],
];

export const NUMBER_METHODS: readonly (readonly [name: RegExp, method: string, argument: unknown])[] = [
  [/^(?:latitude|lat)$/i, 'location.latitude', {}],
  [/^(?:longitude|lng|lon)$/i, 'location.longitude', {}],
  [
    /(?:price|amount|cost|total|fee|balance|salary)/i,
    'number.float',
    { min: 1, max: 500, fractionDigits: 2 },
  ],
  [/^age$/i, 'number.int', { min: 1, max: 90 }],
  [/year$/i, 'number.int', { min: 1990, max: 2024 }],
  [/^(?:quantity|qty|stock)$/i, 'number.int', { min: 0, max: 100 }],
  [/rating/i, 'number.int', { min: 1, max: 5 }],
];
