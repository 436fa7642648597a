import { encodeParameter, type Operation, type Parameter, percentEncode, queryPairs } from '#spec';

export const requiredIn = ({ parameters }: Operation, place: Parameter['in']) =>
  parameters.filter((parameter) => parameter.required && parameter.in === place);

/** Path, query and headers of a request with the required parameters of an operation, encoded. */
export function requestWith(operation: Operation, valueFor: (parameter: Parameter) => unknown) {
  const encoded = (parameter: Parameter) => encodeParameter(parameter, valueFor(parameter)).join();
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const path = Object.fromEntries(inPath.map((parameter) => [parameter.name, encoded(parameter)]));
  const query = requiredIn(operation, 'query')
    .flatMap((parameter) => queryPairs(parameter, valueFor(parameter)))
    .map((pair) => pair.join('='));
  return {
    path,
    target: operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? percentEncode(name)),
    query: query.join('&'),
    headers: Object.fromEntries(
      requiredIn(operation, 'header').map((parameter) => [parameter.name, encoded(parameter)]),
    ),
  };
}
