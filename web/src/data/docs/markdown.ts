/** Parses the subset of Markdown that the guides use. HTML in it stays text. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'em'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph' | 'quote'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly kind: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

export function parseMarkdown(source: string): readonly Block[] {
  const lines = source.split('\n')
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const found = readBlock(lines, at)
    if (found.block) blocks.push(found.block)
    at = found.next
  }
  return blocks
}

type Found = { readonly block: Block | undefined; readonly next: number }

function readBlock(lines: readonly string[], at: number): Found {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { block: undefined, next: at + 1 }
  if (line.startsWith('```')) return readCode(lines, at)
  const heading = /^(#{1,4}) (.+)$/.exec(line)
  if (heading) {
    const text = plainText(parseInlines(heading[2] ?? ''))
    return {
      block: { kind: 'heading', level: heading[1]?.length ?? 1, text, id: headingId(text) },
      next: at + 1,
    }
  }
  if (line.startsWith('|')) return readTable(lines, at)
  if (ITEM.test(line)) return readList(lines, at)
  if (/^ {4}\S/.test(line)) return readIndented(lines, at)
  return readParagraph(lines, at)
}

const ITEM = /^(?:[-*]|\d+\.) +/
const plainText = (inlines: readonly Inline[]) => inlines.map(({ text }) => text).join('')

function readCode(lines: readonly string[], at: number): Found {
  const end = lines.findIndex((line, index) => index > at && line.startsWith('```'))
  const last = end === -1 ? lines.length : end
  const language = (lines[at] ?? '').slice(3).trim()
  return { block: { kind: 'code', language, text: lines.slice(at + 1, last).join('\n') }, next: last + 1 }
}

function readIndented(lines: readonly string[], at: number): Found {
  const end = endOf(lines, at, (line) => /^ {4}/.test(line))
  return {
    block: {
      kind: 'code',
      language: '',
      text: lines
        .slice(at, end)
        .map((line) => line.slice(4))
        .join('\n'),
    },
    next: end,
  }
}

function endOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index > at && !belongs(line))
  return end === -1 ? lines.length : end
}

function readTable(lines: readonly string[], at: number): Found {
  const end = endOf(lines, at, (line) => line.startsWith('|'))
  const rows = lines.slice(at, end).map((line) => splitCells(line).map(parseInlines))
  return { block: { kind: 'table', head: rows[0] ?? [], rows: rows.slice(2) }, next: end }
}

/** A bar within code or after a backslash does not end a cell. */
function splitCells(line: string): readonly string[] {
  const inner = line.trim().replace(/^\||\|$/g, '')
  return (inner.match(/(?:`[^`]*`|\\\||[^|])*(?:\||$)/g) ?? [])
    .slice(0, -1)
    .concat(inner.endsWith('|') ? [''] : [])
    .map((cell) => cell.replace(/\|$/, '').replaceAll('\\|', '|').trim())
}

function readList(lines: readonly string[], at: number): Found {
  const end = endOf(lines, at, (line) => ITEM.test(line) || /^\s+\S/.test(line))
  const items: string[] = []
  for (const line of lines.slice(at, end)) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''))
    else items.push(`${items.pop() ?? ''} ${line.trim().replace(/^- /, '· ')}`)
  }
  return {
    block: { kind: 'list', isOrdered: /^\d/.test(lines[at] ?? ''), items: items.map(parseInlines) },
    next: end,
  }
}

function readParagraph(lines: readonly string[], at: number): Found {
  const end = endOf(
    lines,
    at,
    (line) => line.trim() !== '' && !/^(?:#{1,4} |```|\|)/.test(line) && !ITEM.test(line),
  )
  const text = lines
    .slice(at, end)
    .map((line) => line.replace(/^> ?/, '').trim())
    .join(' ')
  return {
    block: { kind: (lines[at] ?? '').startsWith('>') ? 'quote' : 'paragraph', inlines: parseInlines(text) },
    next: end,
  }
}

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|(?<![\w*])[*_]([^*_\s][^*_]*)[*_](?![\w*])/g

export function parseInlines(text: string): readonly Inline[] {
  const inlines: Inline[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) inlines.push({ kind: 'text', text: text.slice(from, match.index) })
    const [whole, code, strong, label, href, em] = match
    if (code !== undefined) inlines.push({ kind: 'code', text: code })
    else if (strong !== undefined) inlines.push({ kind: 'strong', text: strong })
    else if (label !== undefined && href !== undefined)
      inlines.push({ kind: 'link', text: label.replaceAll('`', ''), href })
    else if (em !== undefined) inlines.push({ kind: 'em', text: em })
    from = match.index + whole.length
  }
  if (from < text.length) inlines.push({ kind: 'text', text: text.slice(from) })
  return inlines
}

/** The web app's path for a link of a guide; undefined if there is no such page, as for source files. */
export function pageOf(href: string): string | undefined {
  const guide = /^(?:\.\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(href)
  if (guide) return `/docs/${guide[1]}${guide[2] ?? ''}`
  if (href === 'openapi.json') return '/docs'
  return /^(?:#|\/|https:\/\/)/.test(href) ? href : undefined
}
