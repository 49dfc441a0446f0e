/** The packages that are published, each after those it depends on. */
export const PUBLISHED = [
  { folder: 'contract', platform: 'neutral', hasTypes: true },
  { folder: 'client', platform: 'neutral', hasTypes: true },
  { folder: 'verify', platform: 'neutral', hasTypes: true },
  { folder: 'cli', platform: 'node', hasTypes: false },
] as const

export type PublishedPackage = (typeof PUBLISHED)[number]

/** The oldest Node that the published packages run on. */
export const OLDEST_NODE = '>=20'
