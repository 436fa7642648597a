/** The public entry point `openapi-paddock/check`: the contract suite, and its laws for traffic of others. */
import '#supported-node';

export * from '#contract-tests';
export * from '#observe';
