/** A folder or file, what it may import besides itself, and why no more. */
export type DependencyRule = readonly [place: string, allowed: readonly string[], why: string];

/**
 * Who may import whom: a place, what it may import besides itself, and why no more. The longest place that contains the
 * importing file applies. An allowed import is a folder, a file, or an entry point of package.json (`#spec`). Tests and
 * `testing` folders are exempt.
 */
const TABLE = `
spec/json: nothing
    JSON values know nothing of documents
spec/pattern: spec/json
    a pattern knows nothing of documents
spec/document: spec/json spec/mask-text.ts
    reads files, references and positions, and knows nothing of schemas
spec/schema: spec/json spec/pattern spec/document
    JSON Schema knows none of the objects of OpenAPI
spec/swagger: spec/json spec/document
    rewrites a document of Swagger 2.0 before it is read
spec/meaning: spec/json spec/pattern spec/document spec/schema #libraries spec/media-type.ts spec/nearest.ts spec/operation.ts spec/outgoing.ts spec/parameter.ts spec/response.ts
    what parameters, headers and statuses mean follows from an operation and the schema of its records
spec/resources: spec/json spec/meaning spec/pattern spec/document spec/schema spec/media-type.ts spec/operation.ts spec/outgoing.ts spec/parameter.ts spec/parameter-style.ts spec/response.ts spec/runtime-expression.ts spec/secret-name.ts spec/stated.ts
    resources follow from the operations of a document alone
spec/xml: #libraries spec/json spec/document spec/schema spec/decode-parameter.ts spec/media-type.ts spec/parameter-style.ts
    values as XML documents, whatever they are bodies of
spec: spec
    the contract can be read, and tested, without a server or a suite

brand: nothing
    colours and mark, whoever shows them

certificates: nothing
    certificates for this machine, whoever shows or trusts them

forwarder: nothing
    sends messages on, whoever judges or learns from them

mock/platform: nothing
    what the mock needs of Node or of a browser depends on nothing
mock/pictures: #spec mock/http
    a picture follows from its key, whoever shows it
mock/store: #spec mock/http
    a store keeps records, and knows nothing of what is done with them
mock/records/seed: #platform #spec mock/http mock/pictures mock/store
    seeded values follow from document and seed
mock/http: #platform #spec
    credentials and headers are the same whatever an operation does
mock/records/streams: #platform #spec #stream-messages mock/http mock/pictures mock/records mock/store
    a stream sends records, and knows no session
mock/records: #platform #spec mock/http mock/pictures mock/store
    actions depend on records, and not on who forces a response
mock/sessions/watch: #spec #whole-document mock/http mock/sessions mock/records mock/store
    a changed document moves records, whatever is served
mock/sessions: #platform #spec mock/http mock/records mock/store
    a session holds state, and does not know who reads it
mock/webhooks: #platform #spec forwarder/reason.ts mock/control/path.ts mock/http mock/records mock/sessions mock/store
    what is sent to clients follows from records and operations, and does not know who responds to them
mock/control: #spec #whole-document #console-files mock/http mock/pictures mock/records mock/sessions mock/store mock/webhooks
    the control API reads sessions, and not the engine
mock/code: #spec mock/http mock/records mock/sessions mock/store
    code of the user's stands between a request and what the mock does, and knows no engine
mock/engine: #spec mock/control mock/http mock/pictures mock/records mock/sessions mock/store mock/webhooks
    the engine responds to a request, however it came
mock/trace: #spec mock/engine mock/http mock/records mock/sessions
    tells afterwards what the engine has done, and decides nothing
mock/upstream/judge.ts: #spec mock/http
    what judges is handed in: a mock that knew the laws could be written to please them
mock/upstream: #forwarder #spec mock/engine mock/http mock/records mock/service.ts mock/sessions mock/store
    stands between the engine and a real service, and knows no laws
mock/server: #certificates #serving #plain-http #platform mock/control mock/engine mock/http
    the server turns bytes into requests for an engine
mock/documents: #spec mock/control mock/engine mock/given-document.ts mock/http mock/options.ts mock/resolve-options.ts mock/records mock/service.ts mock/serving.ts mock/sessions mock/webhooks
    several documents are compiled like one each, and joined afterwards
mock/factories: #spec mock/engine mock/given-document.ts mock/http mock/options.ts mock/resolve-options.ts mock/pictures mock/records mock/service.ts mock/sessions mock/store
    values and responses follow from a service, without a server
mock/matchers: #spec mock/control mock/mock.ts
    what a test expects of requests is held against what the mock shows of them
mock/playwright: #spec mock/control mock/matchers mock/records mock/sessions
    knows a running mock by its control API, and the types of that
mock: #certificates #forwarder #platform #spec #whole-file mock
    a mock that knew the suite could be written to please it

contract-tests/send: #forwarder #spec
    sends requests and reads responses, and knows neither laws nor cases
contract-tests/laws: #spec #stream-messages #test-values contract-tests/send
    a law judges any exchange, whoever sent it
contract-tests/credentials: #spec contract-tests/send
    obtains and renews what requests bear, and knows no run
contract-tests/hooks: #spec contract-tests/send
    calls code of the user's, and knows nothing of what a run does with it
contract-tests/settings: #certificates #spec contract-tests/credentials contract-tests/hooks contract-tests/laws contract-tests/send
    options are resolved before anything is run
contract-tests/run: #spec contract-tests/credentials contract-tests/hooks contract-tests/laws contract-tests/send contract-tests/settings
    sends and judges for any case
contract-tests/arrange: #spec #test-values contract-tests/hooks contract-tests/laws contract-tests/run contract-tests/send
    arranges what cases need, and knows no case
contract-tests/cases: #spec #test-values contract-tests/arrange contract-tests/laws contract-tests/run contract-tests/send contract-tests/settings
    a case does not see what is made of its result
contract-tests/report: #brand #spec contract-tests/cases contract-tests/laws contract-tests/roots contract-tests/run contract-tests/send contract-tests/settings contract-tests/whole-file.ts
    shows what cases have found
contract-tests/roots: #spec contract-tests/laws contract-tests/run contract-tests/send
    what is wrong follows from the findings, whatever a report makes of it
contract-tests/confirm: #spec contract-tests/arrange contract-tests/cases contract-tests/laws contract-tests/run contract-tests/send
    tries what was found again, and does not see what is reported of it
contract-tests: #forwarder #spec #stream-messages #test-values contract-tests
    a suite that knew the mock could judge no other service fairly

compat: #consumer #spec #whole-document #test-values #mock #contract-tests #report-parts
    runs the suite of one document against the mock of another

traffic/har: #spec
    reads recorded traffic for whoever wants it
traffic/judge: traffic/har traffic/observe contract-tests/send
    reads recorded traffic, and gives it to what judges it
traffic/learn: #spec #observe traffic/har
    a document follows from the traffic, whoever has recorded it
traffic/consumer: #spec #observe traffic/har traffic/judge traffic/learn/examples.ts
    what a client uses follows from its requests, whoever has seen them
traffic/check.ts: #contract-tests #observe
    an entry point of the package
traffic/observe: #spec contract-tests/cases contract-tests/laws contract-tests/report contract-tests/run contract-tests/send contract-tests/settings
    holds what others send to the laws of the suite
traffic/proxy: #certificates #forwarder #plain-http #spec #contract-tests #target #control #refusals #observe #har
    knows the mock by its control API, and by how that refuses requests

console/wire.ts: mock/control mock/sessions traffic/proxy
    the types of the control API
console/screenshots.ts: console #contract-tests #mock #proxy quality/arguments.ts quality/testing release/packaging
    takes pictures for the docs
console: console
    runs in a browser, and knows the mock by its control API

cli/configuration/define-config.ts: #mock #user-code cli/configuration
    what a file may have in code has the types of what runs it
cli/configuration: #spec
    takes the options as values, and knows no verb
cli: cli #certificates #spec #mock #mock-server #contract-tests #observe #judge #compat #har #learn #proxy #target #user-code #whole-document #whole-file #configuration #find-configuration
    the command line of the others

quality/mutants: #spec #mock contract-tests traffic/observe quality/arguments.ts quality/table.ts quality/testing
    replaces named parts of the mock: production code does not know that mutants exist
quality/corpus: #spec #mock #contract-tests quality/arguments.ts quality/table.ts
    uses what users have
quality/services: quality/arguments.ts quality/table.ts quality/testing
    runs the program from outside, and knows nothing of its inside
quality: quality release mock spec #spec #mock #contract-tests #compat
    measures the product; nothing imports it

release/site: #brand cli/generate.ts cli/options.ts cli/program.ts mock/browser release/packaging/build-browser.ts quality/testing
    writes the reference from the tables of the program, and has the mock in its first page
release: release quality/testing cli spec
    packs the product; nothing imports it
`;

export const DEPENDENCY_RULES: readonly DependencyRule[] = TABLE.trim()
  .split(/\n+(?=\S)/)
  .map((rule) => {
    const [, place = '', allowed = '', why = ''] = /^(\S+): (.*)\n +(.*)$/.exec(rule) ?? [];
    return [place, allowed === 'nothing' ? [] : allowed.split(' '), why];
  });

/**
 * What every file may import: the libraries that Node and browsers load in different ways, and the check of Node's
 * version.
 */
export const FREE: readonly string[] = ['#libraries', '#supported-node'];
