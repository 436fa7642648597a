/**
 * Where a document of a revision (`git:REF:PATH`) is in the repository: what CI services show findings beside has no
 * revision. Any other place is as it was.
 */
export function repositoryPath(place: string): string {
  return /^git:[^:]+:(?:\.\/)?(.+)$/s.exec(place)?.[1] ?? place;
}
