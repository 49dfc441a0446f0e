import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { INDEX, servedLinks } from '#discovery/served-links.ts'

/** The pages of docs/, which ships with the service. */
export type Documentation = {
  /** Paths below docs/ in alphabetical order, such as `limits.md` and `decisions/0011-mcp.md`. */
  readonly names: readonly string[]
  /** A page with links to served pages, and with this service's URL in its commands. */
  readonly read: (name: string) => string
}

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs')
const DECISIONS = 'decisions'
const DECISIONS_INDEX = posix.join(DECISIONS, INDEX)
/** Served beside the pages, and linked by them. */
const REFERENCE = 'openapi.json'

/** The default URL in the pages, which is replaced by the service's own. */
const DEFAULT_URL = 'http://127.0.0.1:3000'

export function documentation(publicUrl: () => string): Documentation {
  const decisions = pagesIn(DECISIONS)
  const names = [...pagesIn(''), ...decisions, DECISIONS_INDEX].toSorted()
  const served = new Set([...names, REFERENCE])
  const textOf = (name: string) => (name === DECISIONS_INDEX ? indexOf(decisions) : readPage(name))
  return {
    names,
    read: (name) => servedLinks(name, textOf(name), served).replaceAll(DEFAULT_URL, publicUrl()),
  }
}

function pagesIn(folder: string): readonly string[] {
  const path = join(FOLDER, folder)
  if (!existsSync(path)) return []
  const files = readdirSync(path).filter((file) => file.endsWith('.md'))
  return files.map((file) => posix.join(folder, file))
}

const readPage = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

/** Generates an index page, because the repository has none. */
function indexOf(pages: readonly string[]): string {
  const lines = pages.toSorted().map((name) => {
    const title = /^# (.+)$/m.exec(readPage(name))?.[1] ?? name
    return `- [${title}](${posix.basename(name)})`
  })
  return ['# Decisions', '', ...lines, ''].join('\n')
}
