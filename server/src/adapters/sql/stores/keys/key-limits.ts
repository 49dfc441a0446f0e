import type { KeyScope } from '#ports/stores/agent-keys.ts'

/** Scopes and networks as their columns have them: words with a space between them. */

export const writeScopes = (scopes: readonly KeyScope[]): string => scopes.join(' ')
export const writeNetworks = (networks: readonly string[]): string => networks.join(' ')

/** Guaranteed by `writeScopes` and the MAC of the row: what is no scope opens nothing. */
export const readScopes = (text: string | null): readonly KeyScope[] => words(text) as readonly KeyScope[]

export const readNetworks = (text: string | null): readonly string[] => words(text)

const words = (text: string | null): readonly string[] =>
  text === null || text === '' ? [] : text.split(' ')
