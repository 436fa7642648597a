/** What a change means for clients of OLD. */
export type ChangeClass = 'breaking' | 'warning' | 'safe' | 'note';

/** Where a rule applies: what clients send, or what they receive; of changes to neither it is the same. */
export type Direction = 'request' | 'response';

interface Rule {
  readonly request: ChangeClass;
  readonly response: ChangeClass;
  readonly reason: string;
}

const same = (one: ChangeClass, reason: string): Rule => ({ request: one, response: one, reason });
/** NEW allows fewer values. */
const narrower = (reason = 'NEW allows fewer values: what clients send may be refused'): Rule => ({
  request: 'breaking',
  response: 'safe',
  reason,
});
/** NEW allows more values. */
const wider = (reason = 'NEW allows more values: clients may receive what OLD excludes'): Rule => ({
  request: 'safe',
  response: 'breaking',
  reason,
});
const other = same('breaking', 'NEW allows other values');
const rewritten = same('breaking', 'the same value is written in another way');

/** A limit: it appears, is gone, or is another one. An upper one gets tighter when it decreases. */
function limits<Name extends string>(name: Name) {
  type Rules = `${Name}-${'set' | 'tightened' | 'loosened' | 'unset'}`;
  return {
    [`${name}-set`]: narrower(),
    [`${name}-tightened`]: narrower(),
    [`${name}-loosened`]: wider(),
    [`${name}-unset`]: wider(),
  } as Record<Rules, Rule>;
}

/** A keyword that excludes values: it appears, is gone, or excludes others. */
function restriction<Name extends string>(name: Name) {
  type Rules = `${Name}-${'added' | 'removed' | 'changed'}`;
  return {
    [`${name}-added`]: narrower(),
    [`${name}-removed`]: wider(),
    [`${name}-changed`]: other,
  } as Record<Rules, Rule>;
}

/** Every rule, its class in both directions, and the reason. */
export const RULES = {
  'operation-added': same('safe', 'clients of OLD do not call it'),
  'operation-removed': same('breaking', 'its requests are answered 404 or 405'),
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
  'required-parameter-added': narrower('clients of OLD do not send it'),
  'parameter-removed': same('warning', 'what clients send has no effect any more'),
  'required-parameter-removed': {
    request: 'warning',
    response: 'breaking',
    reason: 'clients may rely on it',
  },
  'meaningful-parameter-removed': same(
    'breaking',
    'what clients of OLD ask for with it, they do not get any more',
  ),
  'parameter-became-required': narrower('existing clients may omit it'),
  'parameter-became-optional': wider('clients may rely on it'),
  'empty-value-refused': narrower('clients may send the name without a value'),
  'empty-value-allowed': wider('clients may receive the name without a value'),
  'reserved-characters-refused': narrower('clients may send reserved characters as they are'),
  'reserved-characters-allowed': wider('clients may receive reserved characters as they are'),
  'parameter-renamed': same('safe', 'the name of a parameter of the path is not sent'),
  'parameter-deprecated': same('warning', 'it may be removed in a later version'),
  'parameter-reactivated': same('safe', 'it stays'),
  'parameter-default-changed': same('warning', 'a request without it means another one'),
  'parameter-style-changed': rewritten,

  'request-body-added': same('safe', 'existing clients may omit it'),
  'required-request-body-added': narrower('clients of OLD send no body'),
  'request-body-removed': {
    request: 'warning',
    response: 'breaking',
    reason: 'what clients send has no effect any more; what they read is gone',
  },
  'request-body-became-required': narrower('existing clients may omit it'),
  'request-body-became-optional': wider('clients may rely on it'),
  'media-type-added': same('safe', 'clients of OLD neither send it nor ask for it'),
  'media-type-removed': same('breaking', 'clients that send, or take, this type only'),
  'encoding-style-changed': rewritten,
  'part-type-removed': narrower('clients may send a part of this media type'),
  'part-type-added': wider('clients may receive a part of this media type'),

  'success-status-added': {
    request: 'safe',
    response: 'warning',
    reason: 'clients may know the statuses of OLD only',
  },
  'status-added': same('note', 'errors may have any status'),
  'success-status-removed': same('warning', 'clients may wait for it, or respond with it'),
  'status-removed': same('warning', 'clients may tell cases apart by it'),
  'header-added': same('safe', 'clients of OLD neither send nor read it'),
  'required-header-added': narrower('clients of OLD do not send it'),
  'header-removed': same('warning', 'what clients read is gone'),
  'required-header-removed': { request: 'warning', response: 'breaking', reason: 'clients may rely on it' },
  'header-became-optional': wider('clients may rely on it'),
  'header-became-required': narrower('existing clients may omit it'),
  'header-style-changed': rewritten,

  'credential-required': same('breaking', 'what works without a credential is answered 401'),
  'credential-changed': same('breaking', 'the credential of OLD is answered 401'),
  'credential-added': same('safe', 'that of OLD is still enough'),
  'credential-unneeded': same('safe', 'a credential is no longer required'),
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

  'type-narrowed': narrower(),
  'type-widened': wider(),
  'type-changed': other,
  'became-nullable': wider('null is allowed'),
  'became-not-nullable': narrower('null is refused'),
  'enum-added': narrower(),
  'enum-removed': wider(),
  'enum-value-added': wider('clients may receive a value that OLD does not name'),
  'enum-value-removed': narrower('clients may send the value'),
  'const-changed': other,
  ...limits('maximum'),
  ...limits('minimum'),
  ...limits('exclusive-maximum'),
  ...limits('exclusive-minimum'),
  ...limits('max-length'),
  ...limits('min-length'),
  ...limits('max-items'),
  ...limits('min-items'),
  ...limits('max-properties'),
  ...limits('min-properties'),
  ...limits('max-contains'),
  ...limits('min-contains'),
  ...limits('multiple-of'),
  'multiple-of-changed': other,
  ...restriction('pattern'),
  ...restriction('format'),
  'format-tightened': narrower(),
  'format-loosened': wider(),
  'format-annotation-changed': same('note', 'no validator knows this format'),
  ...restriction('unique-items'),
  ...restriction('contains'),
  ...restriction('not'),
  ...restriction('property-names'),
  ...restriction('pattern-properties'),
  ...restriction('dependent-required'),
  ...restriction('dependent-schemas'),
  ...restriction('condition'),
  ...restriction('items'),
  ...restriction('prefix-items'),
  ...restriction('unevaluated-items'),
  ...restriction('unevaluated-properties'),
  'additional-properties-narrowed': narrower('members that OLD allows by name or by schema are refused'),
  'additional-properties-widened': wider('clients may receive members that OLD excludes'),
  'additional-properties-refused': narrower('clients may send members that OLD does not name'),
  'additional-properties-closed': same('note', 'clients send the members that OLD documents'),
  'variant-added': wider('a variant that OLD does not know'),
  'variant-removed': narrower('clients may send this variant'),
  'variants-changed': other,
  'discriminator-added': same('note', 'the schemas decide what is valid'),
  'discriminator-removed': same('note', 'the schemas decide what is valid'),
  'discriminator-changed': same('note', 'the schemas decide what is valid'),
  'discriminator-value-added': wider('a name of a variant that OLD does not know'),
  'discriminator-value-removed': narrower('clients may send this name of a variant'),

  'property-added': same('safe', 'clients of OLD neither send nor read it'),
  'property-added-to-closed': wider('OLD excludes members that it does not name'),
  'required-property-added': {
    request: 'breaking',
    response: 'safe',
    reason: 'clients of OLD do not send it',
  },
  'property-became-required': {
    request: 'breaking',
    response: 'safe',
    reason: 'existing clients may omit it',
  },
  'property-became-optional': { request: 'safe', response: 'breaking', reason: 'clients may rely on it' },
  'property-removed': same('warning', 'what clients send has no effect; what they read is gone'),
  'property-removed-from-closed': narrower('NEW refuses members that it does not name'),
  'required-property-removed': { request: 'warning', response: 'breaking', reason: 'clients may rely on it' },
  'property-became-read-only': {
    request: 'warning',
    response: 'note',
    reason: 'what clients send has no effect any more',
  },
  'property-became-write-only': { request: 'note', response: 'warning', reason: 'what clients read is gone' },
  'property-not-read-only': same('note', 'clients may send it, too'),
  'property-not-write-only': same('note', 'clients may receive it, too'),
  'property-deprecated': same('warning', 'it may be removed in a later version'),
  'property-reactivated': same('safe', 'it stays'),
  'default-changed': same('note', 'every value is still valid'),
  'meaning-changed': same('note', 'what it means, running shows'),
  'content-added': {
    request: 'warning',
    response: 'note',
    reason: 'texts of another kind may have no effect',
  },
  'content-removed': {
    request: 'note',
    response: 'warning',
    reason: 'the text within the string may be any',
  },
  'content-changed': same('warning', 'the text within the string is another one, which no validator judges'),
  'content-encoding-changed': rewritten,
  'content-media-type-changed': same('breaking', 'the text within the string is of another kind'),
  'extensible-enum-value-removed': {
    request: 'warning',
    response: 'note',
    reason: 'the list names known values, and no value is refused for it',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

/** Rules about values: a value that one document allows and the other refuses decides them. */
const OF_NO_VALUE =
  /^(?:operation|tags|stability|sunset|parameter-(?:added|removed|renamed|style|de|re)|meaningful|empty|reserved|request-body|encoding|content-(?:encoding|media)|part|success|status|header|required-header|credential|scope|security|base|server|webhook|callback|media|xml|additional-properties-refused)/;

export function isDecidedByValues(rule: RuleName): boolean {
  return !OF_NO_VALUE.test(rule);
}
