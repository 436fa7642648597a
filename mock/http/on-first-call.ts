/** Compiles a function when it is first called: of a large document most runs use few operations. */
export function onFirstCall<Given extends unknown[], Result>(
  compile: () => (...given: Given) => Result,
): (...given: Given) => Result {
  let compiled: ((...given: Given) => Result) | undefined;
  return (...given) => {
    compiled ??= compile();
    return compiled(...given);
  };
}
