import { stripTypeScriptTypes } from 'node:module'

/**
 * TypeScript as JavaScript of the same length: types become spaces, so line and column numbers stay true.
 * The only use of Node's experimental function; `amaro` from npm has the same one should it go away.
 */
export const stripTypes = (source: string): string => stripTypeScriptTypes(source)
