import { stripTypeScriptTypes } from 'node:module'

/**
 * TypeScript as JavaScript: types become spaces and lines of comments are emptied, so line and column numbers stay
 * true. The only use of Node's experimental function; `amaro` from npm has the same one should it go away.
 */
export const stripTypes = (source: string): string => emptyCommentLines(stripTypeScriptTypes(source))

/** Empties lines that are nothing but a comment. In text of several lines, none may begin like one. */
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
