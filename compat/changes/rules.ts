/** The effect of a change on clients of OLD. */
export type ChangeClass = 'breaking' | 'warning' | 'safe' | 'note';

/** The direction of a rule: what clients send, or what they receive; rules for neither are the same in both. */
export type Direction = 'request' | 'response';

/** Which requests prove it: each that works, one with the credential, or one whose response the parameter changes. */
export type ShownBy = 'any request' | 'credential' | 'parameter';

interface Rule {
  readonly request: ChangeClass;
  readonly response: ChangeClass;
  readonly reason: string;
  /** A value that only one document allows decides whether it breaks. Default: the documents decide. */
  readonly byValues?: true;
  /** The JSON Schema keywords, or members of the document, whose violation proves it. */
  readonly keywords?: readonly string[];
  /** Which request proves it, if no value is rejected. */
  readonly shownBy?: ShownBy;
  /** Requests are tried whatever its class: its effects go beyond what is compared. */
  readonly isOpen?: true;
  /** It may affect what a service stores, filters and returns: the suite runs. */
  readonly isOfBehaviour?: true;
  /** It affects each client that sends the member or parameter, whatever the value. */
  readonly isOfPresence?: true;
  /** Its description. Default: the words of its name, with both values. */
  readonly says?: string;
  /** It is described by the limit and its values: `maximum 5000 -> 4000`. */
  readonly isLimit?: true;
  /** The rule that the suite would find broken in a response. Default: `schema`. */
  readonly law?: 'header' | 'content-type';
}

const each = (request: ChangeClass, response: ChangeClass, reason: string, more: More = {}): Rule => ({
  request,
  response,
  reason,
  ...more,
});
/** The same class in both directions. */
const same = (changeClass: ChangeClass, reason: string, more?: More) =>
  each(changeClass, changeClass, reason, more);
const narrower = (reason = 'NEW allows fewer values: what clients send may be refused', more?: More) =>
  each('breaking', 'safe', reason, more);
const wider = (reason = 'NEW allows more values: clients may receive what OLD excludes', more?: More) =>
  each('safe', 'breaking', reason, more);
const other = same('breaking', 'NEW allows other values');
const rewritten = same('breaking', 'the same value is written in another way');

type More = Omit<Partial<Rule>, 'request' | 'response' | 'reason'>;
const VALUES: More = { byValues: true };
const REQUIRED: More = { byValues: true, keywords: ['required'] };
const NOW_REQUIRED: More = { ...REQUIRED, says: 'now required' };
const NOW_OPTIONAL: More = { ...REQUIRED, says: 'now optional' };
const TYPE: More = { byValues: true, keywords: ['type', 'enum', 'const', 'false schema'] };
const ENUM: More = { byValues: true, keywords: ['enum', 'const'] };
const FORMAT: More = { byValues: true, keywords: ['format'] };
const VARIANT: More = { byValues: true, keywords: ['oneOf', 'anyOf', 'discriminator'], isOpen: true };
const CLOSED: More = { keywords: ['additionalProperties', 'unevaluatedProperties', 'false schema'] };
const REMOVED: More = { isOfBehaviour: true, isOfPresence: true };
const HEADER: More = { law: 'header' };
const SECURITY: More = { shownBy: 'credential' };

/** A limit: it is added, removed or changed. An upper one becomes tighter when it decreases. */
function limits<Name extends string>(name: Name, ...keywords: readonly string[]) {
  const more = { byValues: true, keywords, isLimit: true } as const;
  return {
    [`${name}-set`]: narrower(undefined, more),
    [`${name}-tightened`]: narrower(undefined, more),
    [`${name}-loosened`]: wider(undefined, more),
    [`${name}-unset`]: wider(undefined, more),
  } as Record<`${Name}-${'set' | 'tightened' | 'loosened' | 'unset'}`, Rule>;
}

/** A keyword that excludes values: it is added, removed, or excludes others. */
function restriction<Name extends string>(name: Name, keywords: readonly string[], isOpen?: true) {
  const more: More = { byValues: true, keywords, ...(isOpen && { isOpen }) };
  return {
    [`${name}-added`]: narrower(undefined, more),
    [`${name}-removed`]: wider(undefined, more),
    [`${name}-changed`]: { ...other, ...more },
  } as Record<`${Name}-${'added' | 'removed' | 'changed'}`, Rule>;
}

/** Every rule with its class in both directions, the reason, and what proves it. */
export const RULES = {
  'operation-added': same('safe', 'clients of OLD do not call it'),
  'operation-removed': same('breaking', 'its requests are answered 404 or 405', { shownBy: 'any request' }),
  'operation-removed-as-announced': same('warning', 'OLD announces its end, and the day has come'),
  'operation-deprecated': same('warning', 'it may be removed in a later version'),
  'operation-reactivated': same('safe', 'it stays'),
  'operation-id-changed': same('warning', 'generated clients name their methods after it'),
  'operation-id-added': same('note', 'nothing is sent or received of it'),
  'tags-changed': same('note', 'tags group operations for people and generators'),
  'stability-decreased': same('warning', 'NEW promises less for the future'),
  'stability-increased': same('safe', 'NEW promises more for the future'),
  'stability-unknown': same('warning', 'it is none of draft, experimental, alpha, beta and stable'),
  'sunset-changed': same('warning', 'the sunset date has changed'),
  'sunset-removed': same('warning', 'it stays deprecated, without a sunset date'),
  'sunset-unreadable': same('warning', 'x-sunset must be a day, or a day and a time (RFC 3339)'),
  'sunset-missing': same('breaking', 'deprecationDays: a deprecated operation must have a sunset date'),
  'sunset-too-soon': same('breaking', 'deprecationDays: the sunset date is too soon'),

  'parameter-added': same('safe', 'existing clients may omit it'),
  'parameter-removed': same('warning', 'what clients send has no effect any more', REMOVED),
  'parameter-style-changed': { ...rewritten, ...REMOVED, isOpen: true, shownBy: 'parameter' },
  'meaningful-parameter-removed': same(
    'breaking',
    'what clients of OLD ask for with it, they do not get any more',
    { ...REMOVED, isOpen: true, shownBy: 'parameter' },
  ),
  'parameter-default-changed': same('warning', 'a request without it means another one', {
    isOfBehaviour: true,
  }),
  'required-parameter-added': narrower('clients of OLD do not send it', REQUIRED),
  'required-parameter-removed': each('warning', 'breaking', 'clients may rely on it', REQUIRED),
  'parameter-became-required': narrower('existing clients may omit it', NOW_REQUIRED),
  'parameter-became-optional': wider('clients may rely on it', NOW_OPTIONAL),
  'required-request-body-added': narrower('clients of OLD send no body', REQUIRED),
  'empty-value-refused': narrower('clients may send the name without a value'),
  'empty-value-allowed': wider('clients may receive the name without a value'),
  'reserved-characters-refused': narrower('clients may send reserved characters as they are'),
  'reserved-characters-allowed': wider('clients may receive reserved characters as they are'),
  'parameter-renamed': same('safe', 'the name of a parameter of the path is not sent'),
  'parameter-deprecated': same('warning', 'it may be removed in a later version'),
  'parameter-reactivated': same('safe', 'it stays'),

  'request-body-added': same('safe', 'existing clients may omit it'),
  'request-body-removed': each(
    'warning',
    'breaking',
    'what clients send has no effect any more; what they read is gone',
    REMOVED,
  ),
  'request-body-became-required': narrower('existing clients may omit it', {
    keywords: ['required'],
    says: 'now required',
  }),
  'request-body-became-optional': wider('clients may rely on it', { says: 'now optional' }),
  'media-type-added': same('safe', 'clients of OLD neither send it nor ask for it'),
  'media-type-removed': same('breaking', 'clients that send, or take, this type only', {
    keywords: ['content'],
    law: 'content-type',
  }),
  'encoding-style-changed': { ...rewritten, isOfPresence: true },
  'part-type-removed': narrower('clients may send a part of this media type'),
  'part-type-added': wider('clients may receive a part of this media type'),

  'success-status-added': each('safe', 'warning', 'clients may know the statuses of OLD only', {
    isOfBehaviour: true,
  }),
  'success-status-removed': same('warning', 'clients may wait for it, or respond with it', {
    isOfBehaviour: true,
  }),
  'status-added': same('note', 'errors may have any status'),
  'status-removed': same('warning', 'clients may tell cases apart by it'),
  'header-added': same('safe', 'clients of OLD neither send nor read it', HEADER),
  'header-removed': same('warning', 'what clients read is gone', HEADER),
  'header-style-changed': { ...rewritten, ...HEADER },
  'required-header-added': narrower('clients of OLD do not send it', { ...HEADER, keywords: ['required'] }),
  'required-header-removed': each('warning', 'breaking', 'clients may rely on it', {
    ...HEADER,
    keywords: ['required'],
  }),
  'header-became-optional': wider('clients may rely on it', {
    ...HEADER,
    keywords: ['required'],
    says: 'now optional',
  }),
  'header-became-required': narrower('existing clients may omit it', {
    ...HEADER,
    keywords: ['required'],
    says: 'now required',
  }),

  'credential-required': same('breaking', 'what works without a credential is answered 401', SECURITY),
  'credential-changed': same('breaking', 'the credential of OLD is answered 401', SECURITY),
  'credential-added': same('safe', 'that of OLD is still enough', SECURITY),
  'credential-unneeded': same('safe', 'a credential is no longer required', SECURITY),
  'scope-added': same('breaking', 'a token of OLD may lack the scope, and is answered 403'),
  'scope-removed': same('safe', 'less is asked of a token'),
  'security-scheme-changed': same('note', 'where tokens come from is no part of a request'),
  'base-path-removed': same('breaking', 'what clients send to the address of OLD reaches no server of NEW'),
  'webhook-added': same('note', 'it is no request to the service'),
  'webhook-removed': same('breaking', 'those who receive it do so no more'),
  'callback-added': same('note', 'it is no request to the service'),
  'callback-removed': same('breaking', 'those who receive it do so no more'),
  'callback-url-changed': same('breaking', 'where clients of OLD wait for it, it is not sent'),

  'xml-name-added': narrower('another name is no longer read'),
  'xml-name-removed': wider('clients may receive another name'),
  'xml-name-changed': rewritten,
  'xml-namespace-changed': rewritten,
  'xml-node-changed': rewritten,
  'xml-prefix-changed': same('warning', 'who reads names without their namespace sees another one'),

  'type-narrowed': narrower(undefined, TYPE),
  'type-widened': wider(undefined, TYPE),
  'type-changed': { ...other, ...TYPE },
  'became-nullable': wider('null is allowed', { ...TYPE, says: 'now nullable' }),
  'became-not-nullable': narrower('null is refused', { ...TYPE, says: 'no longer nullable' }),
  'enum-added': narrower(undefined, ENUM),
  'enum-removed': wider(undefined, ENUM),
  'enum-value-added': wider('clients may receive a value that OLD does not name', ENUM),
  'enum-value-removed': narrower('clients may send the value', ENUM),
  'const-changed': { ...other, ...ENUM },
  'extensible-enum-value-removed': each(
    'warning',
    'note',
    'the list names known values, and no value is refused for it',
    ENUM,
  ),
  ...limits('maximum', 'maximum', 'exclusiveMaximum'),
  ...limits('minimum', 'minimum', 'exclusiveMinimum'),
  ...limits('exclusive-maximum', 'maximum', 'exclusiveMaximum'),
  ...limits('exclusive-minimum', 'minimum', 'exclusiveMinimum'),
  ...limits('max-length', 'maxLength'),
  ...limits('min-length', 'minLength'),
  ...limits('max-items', 'maxItems'),
  ...limits('min-items', 'minItems'),
  ...limits('max-properties', 'maxProperties'),
  ...limits('min-properties', 'minProperties'),
  ...limits('max-contains', 'maxContains'),
  ...limits('min-contains', 'minContains'),
  ...limits('multiple-of', 'multipleOf'),
  'multiple-of-changed': { ...other, byValues: true, keywords: ['multipleOf'] },
  ...restriction('pattern', ['pattern'], true),
  ...restriction('format', ['format']),
  ...restriction('unique-items', ['uniqueItems']),
  ...restriction('contains', ['contains'], true),
  ...restriction('not', ['not'], true),
  ...restriction('property-names', ['propertyNames'], true),
  ...restriction('pattern-properties', ['patternProperties'], true),
  ...restriction('dependent-required', ['required', 'dependentRequired'], true),
  ...restriction('dependent-schemas', ['dependentSchemas'], true),
  ...restriction('condition', ['if', 'then', 'else'], true),
  ...restriction('items', ['items']),
  ...restriction('prefix-items', ['prefixItems']),
  ...restriction('unevaluated-items', ['unevaluatedItems'], true),
  ...restriction('unevaluated-properties', ['unevaluatedProperties'], true),
  'format-tightened': narrower(undefined, { ...FORMAT, isLimit: true }),
  'format-loosened': wider(undefined, { ...FORMAT, isLimit: true }),
  'format-annotation-changed': same('note', 'no validator knows this format', FORMAT),
  'additional-properties-narrowed': narrower('members that OLD allows by name or by schema are refused', {
    ...CLOSED,
    byValues: true,
  }),
  'additional-properties-widened': wider('clients may receive members that OLD excludes', {
    ...CLOSED,
    byValues: true,
  }),
  'additional-properties-closed': same('note', 'clients send the members that OLD documents', {
    ...CLOSED,
    byValues: true,
  }),
  'property-added-to-closed': wider('OLD excludes members that it does not name', {
    ...CLOSED,
    byValues: true,
  }),
  'additional-properties-refused': narrower('clients may send members that OLD does not name', CLOSED),
  'property-removed-from-closed': narrower('NEW refuses members that it does not name', {
    ...CLOSED,
    byValues: true,
    isOfPresence: true,
  }),
  'variant-added': wider('a variant that OLD does not know', VARIANT),
  'variant-removed': narrower('clients may send this variant', VARIANT),
  'variants-changed': { ...other, ...VARIANT },
  'discriminator-added': same('note', 'the schemas decide what is valid', VARIANT),
  'discriminator-removed': same('note', 'the schemas decide what is valid', VARIANT),
  'discriminator-changed': same('note', 'the schemas decide what is valid', VARIANT),
  'discriminator-value-added': wider('a name of a variant that OLD does not know', VARIANT),
  'discriminator-value-removed': narrower('clients may send this name of a variant', VARIANT),

  'property-added': same('safe', 'clients of OLD neither send nor read it', VALUES),
  'property-became-write-only': each('note', 'warning', 'what clients read is gone', {
    ...VALUES,
    says: 'now write-only',
  }),
  'property-not-read-only': same('note', 'clients may send it, too', VALUES),
  'property-not-write-only': same('note', 'clients may receive it, too', VALUES),
  'property-deprecated': same('warning', 'it may be removed in a later version', VALUES),
  'property-reactivated': same('safe', 'it stays', VALUES),
  'default-changed': same('note', 'every value is still valid', VALUES),
  'content-added': each('warning', 'note', 'texts of another kind may have no effect', VALUES),
  'content-removed': each('note', 'warning', 'the text within the string may be any', VALUES),
  'content-changed': same(
    'warning',
    'the text within the string is another one, which no validator judges',
    VALUES,
  ),
  'required-property-added': each('breaking', 'safe', 'clients of OLD do not send it', REQUIRED),
  'property-became-required': each('breaking', 'safe', 'existing clients may omit it', NOW_REQUIRED),
  'property-became-optional': each('safe', 'breaking', 'clients may rely on it', NOW_OPTIONAL),
  'property-removed': same('warning', 'what clients send has no effect; what they read is gone', {
    ...VALUES,
    isOfPresence: true,
  }),
  'property-became-read-only': each('warning', 'note', 'what clients send has no effect any more', {
    ...VALUES,
    isOfPresence: true,
    says: 'now read-only',
  }),
  'required-property-removed': each('warning', 'breaking', 'clients may rely on it', {
    ...REQUIRED,
    isOfPresence: true,
  }),
  'meaning-changed': same('note', 'what it means, running shows', { isOpen: true, isOfBehaviour: true }),
  'content-encoding-changed': rewritten,
  'content-media-type-changed': same('breaking', 'the text within the string is of another kind'),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

/** A rule by name. */
export const ruleOf = (name: RuleName): Rule => RULES[name];
