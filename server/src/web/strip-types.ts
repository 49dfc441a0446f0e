import { stripTypeScriptTypes } from 'node:module'

/**
 * Converts TypeScript to JavaScript: types become spaces and comment lines are emptied, so line and column numbers stay
 * correct. The only use of Node's experimental function; the npm package `amaro` could replace it.
 */
export const stripTypes = (source: string): string => emptyCommentLines(stripTypeScriptTypes(source))

/** Empties lines that consist of a comment. Multi-line strings must not contain lines that begin like a comment. */
function emptyCommentLines(source: string): string {
  let isInside = false
  const lines = source.split('\n').map((line) => {
    const text = line.trim()
    if (!isInside && !text.startsWith('/**')) return text.startsWith('//') ? '' : line
    isInside = !text.endsWith('*/')
    return ''
  })
  return lines.join('\n')
}
