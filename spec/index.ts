/** The public entry point of `spec`: OpenAPI and JSON Schema for mock and suite. */

export { asReceived, decodeBody, type EncodedBody, encodeBody, partType } from './body-codec.ts';
export * from './changed-operations.ts';
export { CONTENT_CODINGS, codingsOf, decodableCodings, decodeContent } from './content-coding.ts';
export * from './contract.ts';
export { decodeParameter, decodeText } from './decode-parameter.ts';
export type { LoadOptions } from './document/load-document.ts';
export { DocumentError, isHttp, type Problem, readSourceFile } from './document/source-file.ts';
export {
  type Document,
  type Place,
  placeOf,
  rawChild,
  rawChildren,
  type Spot,
  showPlace,
  textAt,
} from './document/spot.ts';
export * from './document/write-yaml.ts';
export { type Explained, keyOf, meaningOf } from './explain/meaning-of.ts';
export * from './explain/settlement.ts';
export { bodyFields, type FormField } from './form-values.ts';
export * from './header-value.ts';
export {
  canonicalInteger,
  canonicalNumber,
  exactNumber,
  isInteger,
  isNumber,
  parseJson,
  stringifyJson,
  tryJson,
} from './json/exact-json.ts';
export * from './json/in-brief.ts';
export {
  type Data,
  EqualValues,
  hasType,
  isEqual,
  isRecord,
  type JsonType,
  jsonPath,
  ownEntry,
  parseFragment,
  pathText,
  pointerText,
  pointerTokens,
  quoted,
  toPointer,
} from './json/json-value.ts';
export * from './json/once-per.ts';
export { findLeftOut, type LeftOut, leftOutReason } from './left-out.ts';
export * from './loopback.ts';
export * from './mask.ts';
export * from './mask-text.ts';
export * from './meaning/account-roles.ts';
export { type Agreement, agreedNumber, agreementOf, compileAgreeing } from './meaning/agreements.ts';
export { type Basis, basisOf } from './meaning/basis.ts';
export * from './meaning/conditions.ts';
export { deliveryTimeOf, mayNotCome, type SentMoment, sentMomentsOf } from './meaning/delivery-time.ts';
export * from './meaning/error-members.ts';
export * from './meaning/keyset.ts';
export {
  type CollectionMeaning,
  type FactBasis,
  type Json,
  type MemberMeaning,
  type OperationMeaning,
  type PageSign,
  unknownParameters,
} from './meaning/meaning.ts';
export { attributesIn, isSentAs, memberNames, memberValue } from './meaning/member-named.ts';
export { countsMilliseconds, namesDay, takesAnyOffset } from './meaning/moment-name.ts';
export {
  findNamed,
  foldedName,
  idStem,
  idStems,
  idWord,
  namesIdOf,
  namesSeveral,
  partsOf,
  sameName,
  setOf,
  singular,
  singularName,
  wordsOf,
} from './meaning/names.ts';
export { type Order, type OrderChoice, readOrder, type SortKey } from './meaning/order.ts';
export {
  countShape,
  firstPosition,
  isAbsoluteUrl,
  isIdOfLast,
  isNullable,
  longestPage,
  mayPage,
  nextSigns,
  type PageHeader,
  type PageMember,
  type Paging,
  takesId,
  tellsEnd,
} from './meaning/paging.ts';
export {
  type Bound,
  boundValue,
  compareOrdered,
  type Filter,
  filteredValues,
  isOrdered,
  isWithin,
  type Search,
} from './meaning/selection.ts';
export * from './meaning/statuses.ts';
export * from './meaning/stream-end.ts';
export * from './meaning/text-form.ts';
export { changeOf, type RecordChange } from './meaning/verb.ts';
export { quotedIn, saysShown } from './meaning/words.ts';
export { isSaidElsewhere, saidOfCollection, saidOfRecord } from './meaning/x-paddock.ts';
export {
  type BodyFormat,
  beginningOf,
  bodyMedia,
  charsetOf,
  essenceOf,
  formatOf,
  isJsonType,
  isOctets,
  isXml,
  JSON_PATCH,
  type MediaType,
  mediaTypeFor,
  type RequestBody,
  sentType,
  unreadBodies,
} from './media-type.ts';
export { concat, fromLatin1, latin1, type Part, readParts } from './multipart.ts';
export * from './nearest.ts';
export * from './nearest-operations.ts';
export {
  formUpTo,
  METHODS,
  type Method,
  type Operation,
  pathForm,
  pathParameters,
  SAFE_METHODS,
} from './operation.ts';
export * from './option-rules.ts';
export type { OutgoingOperation } from './outgoing.ts';
export type { Header, Parameter, ParameterPlace } from './parameter.ts';
export {
  cookiesOf,
  encodeParameter,
  isStyleless,
  percentDecode,
  percentEncode,
  queryPairs,
} from './parameter-style.ts';
export * from './part-of-contract.ts';
export { escapeText } from './pattern/pattern.ts';
export * from './request-reader.ts';
export {
  type AccountOperation,
  accountOperation,
  besideToken,
  holdsAccounts,
  isAccountName,
  isIdentity,
  isPassword,
  isRefreshToken,
  type MemberPath,
  needsNoCredential,
  registeredLogins,
} from './resources/accounts.ts';
export * from './resources/acts.ts';
export { type Ancestor, ancestorsOf, parentsInBody, recordNamedBy } from './resources/ancestors.ts';
export * from './resources/credentials.ts';
export * from './resources/effects.ts';
export {
  type Address,
  type Embedded,
  type Family,
  familiesOf,
  type Kin,
  kinKey,
  namedInBody,
  ownersOf,
} from './resources/families.ts';
export {
  createdIds,
  idIn,
  idInBody,
  idMembers,
  idSources,
  isAtItem,
  isNoId,
  showsIdAlone,
} from './resources/identity.ts';
export * from './resources/issued-keys.ts';
export { type Job, type JobState, jobOf, jobState, madeByJob } from './resources/jobs.ts';
export {
  arrayShape,
  itemsOf,
  type ListMeaning,
  listedIn,
  listMeanings,
  listPath,
} from './resources/list-form.ts';
export {
  manyItem,
  type Results,
  resultsOf,
  sentMany,
} from './resources/many.ts';
export {
  firstState,
  headersKept,
  isEnded,
  isMakerName,
  isSet,
  isStateName,
  type MemberFact,
  memberMeaning,
  memberMeanings,
  saysEnded,
} from './resources/members.ts';
export * from './resources/messages.ts';
export { lastSegment, recordName } from './resources/paths.ts';
export { isPresumed } from './resources/presumed-bodies.ts';
export * from './resources/record-examples.ts';
export {
  answerMedia,
  answerShape,
  bodyPath,
  bodyShape,
  hasSameSchema,
  innerNamed,
  memberLike,
  memberShape,
  ONLY,
  recordPath,
  sameRecord,
  schemaKey,
  sentShape,
  shapeAt,
  sharesMembers,
  successOf,
  unwrapped,
  valueAt,
  withoutNull,
  withValueAt,
} from './resources/record-schema.ts';
export {
  calledAs,
  collectionNamed,
  copiesIn,
  expandableMembers,
  idMemberIn,
  idsBeside,
  innerOf,
  namedLists,
  namesParent,
  type Reference,
  referencesOf,
  shownNames,
} from './resources/references.ts';
export {
  type Action,
  type Further,
  type FurtherRole,
  type Identity,
  type IdSign,
  type ListForm,
  ON_ONE,
  type Parent,
  type Related,
  type Resource,
  type Singleton,
} from './resources/resource.ts';
export * from './resources/says.ts';
export * from './resources/tallies.ts';
export * from './resources/transitions.ts';
export * from './resources/unique.ts';
export * from './resources/values-in-use.ts';
export {
  type DocumentedResponse,
  describesRefusal,
  explicitStatuses,
  hasNoContent,
  type Link,
  responseFor,
} from './response.ts';
export * from './routes.ts';
export {
  type ExpressedExchange,
  type ExpressionSource,
  type ExpressionTemplate,
  fillTemplate,
  memberAt,
  parseRuntimeExpression,
} from './runtime-expression.ts';
export { isLargeHint } from './schema/large-sizes.ts';
export * from './schema/random.ts';
export * from './schema/roughly-fits.ts';
export * from './schema/sample.ts';
export type { Owner, SampleOptions } from './schema/sample-position.ts';
export { isMadeUpWord } from './schema/sample-scalar.ts';
export * from './schema/shape.ts';
export { showsValues } from './schema/shown-value.ts';
export * from './schema/text-formats.ts';
export type { Direction } from './schema/translate.ts';
export {
  fullyFits,
  isDefinedFormat,
  type Validate,
  type Validators,
  type Violation,
  violationsOf,
} from './schema/validator.ts';
export * from './secret-name.ts';
export {
  type Credential,
  credentialsByScheme,
  credentialVariable,
  isOpen,
  type Requirement,
  unsaidSecurity,
} from './security.ts';
export { basePathsAt, basePathsOf, longestFirst, NO_SERVERS, type Served, type Server } from './server.ts';
export {
  isOtherName,
  mayChange,
  namedMembers,
  useMeaning,
  writeMeaning,
} from './stated.ts';
export {
  hasStream,
  isStreamOnly,
  messagesOf,
  type StreamFormat,
  type StreamMessage,
  streamFormatOf,
  writeMessage,
} from './stream-format.ts';
export * from './unmade-values.ts';
export * from './xml/xml-object.ts';
