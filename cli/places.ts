/**
 * Where in a configuration file an option stands: `paddock.config.yaml:7:9`, by its name on the command line, `--port`, and by
 * the file that it names.
 */
export type Places = Map<string, string>;

/** A message about an option, or about a file that cannot be read, with the place that it was given at. */
export function withPlace(message: string, places: Places): string {
  const [, flag = '', path = ''] = /^(--[a-z-]+)|^.*?:1:1: cannot read (.*): /.exec(message) ?? [];
  const place = places.get(flag || path);
  return place === undefined ? message : `${place}: ${message}`;
}
