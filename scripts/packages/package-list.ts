/** The packages that are published, each after those it depends on. */
export const PUBLISHED = [
  { folder: 'contract', platform: 'neutral', kind: 'library' },
  { folder: 'client', platform: 'neutral', kind: 'library' },
  { folder: 'verify', platform: 'neutral', kind: 'library' },
  { folder: 'cli', platform: 'node', kind: 'program' },
] as const

/** A library has types, and names its dependencies. A program has them inside: it installs as one package. */
export type PublishedPackage = (typeof PUBLISHED)[number]

/** The oldest Node that the published packages run on. */
export const OLDEST_NODE = '>=20'
