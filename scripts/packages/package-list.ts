/** The published packages, dependencies first. */
export const PUBLISHED = [
  { folder: 'contract', platform: 'neutral', kind: 'library' },
  { folder: 'client', platform: 'neutral', kind: 'library' },
  { folder: 'verify', platform: 'neutral', kind: 'library' },
  { folder: 'cli', platform: 'node', kind: 'program' },
] as const

/** A library has types and declares its dependencies. A program bundles them and installs as one package. */
export type PublishedPackage = (typeof PUBLISHED)[number]

/** The oldest Node that the published packages run on. */
export const OLDEST_NODE = '>=20'
