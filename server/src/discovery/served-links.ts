import { posix } from 'node:path'

/** A link, or a picture. */
const LINK = /!?\[([^\]]+)\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|#|\/)/i
/** What a folder's own page is called. */
export const INDEX = 'README.md'

/**
 * A page of docs/ as it is served: a link to a folder leads to its index, and one to a file that is not served, such as
 * a test, becomes its path in the repository. `served` are the paths below docs/ that answer.
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
