import type { KeyScope } from '#ports/stores/agent-keys.ts'

/** Scopes and networks are stored as words separated by spaces. */

export const writeScopes = (scopes: readonly KeyScope[]): string => scopes.join(' ')
export const writeNetworks = (networks: readonly string[]): string => networks.join(' ')

/** `writeScopes` and the row's MAC guarantee the type; an unknown scope would grant nothing. */
export const readScopes = (text: string | null): readonly KeyScope[] => words(text) as readonly KeyScope[]

export const readNetworks = (text: string | null): readonly string[] => words(text)

const words = (text: string | null): readonly string[] =>
  text === null || text === '' ? [] : text.split(' ')
