import { posix } from 'node:path'

/** A Markdown link or picture. */
const LINK = /!?\[([^\]]+)\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|#|\/)/i
/** File name of a folder's index page. */
export const INDEX = 'README.md'

/**
 * Rewrites the links of a page of docs/: a link to a folder points to its index, and one to a file that is not served,
 * such as a test, becomes the file's path as text. `served` are the served paths below docs/.
 */
export function servedLinks(name: string, text: string, served: ReadonlySet<string>): string {
  return text.replaceAll(LINK, (link, label: string, href: string) => {
    if (ELSEWHERE.test(href)) return link
    const [file = ''] = href.split('#', 1)
    const path = posix.join('docs', posix.dirname(name), file)
    const below = posix.relative('docs', path)
    if (served.has(below)) return link
    if (served.has(posix.join(below, INDEX))) return `[${label}](${posix.join(href, INDEX)})`
    return label.replaceAll('`', '') === path ? label : `${label} (\`${path}\`)`
  })
}
