/** A guide for the search: the plain text of each section. */
type DocsText = {
  readonly name: string
  readonly title: string
  readonly sections: readonly { readonly heading: string; readonly text: string }[]
}

/** The texts of the guides by title, from their Markdown by path such as `docs/limits.md`. */
export function textsOfDocs(files: ReadonlyMap<string, string>): readonly DocsText[] {
  return [...files]
    .flatMap(([path, text]) => {
      const name = /^docs\/([^/]+)\.md$/.exec(path)?.[1]
      return name === undefined ? [] : [toPage(name, text)]
    })
    .sort((a, b) => (a.title < b.title ? -1 : 1))
}

/** Names and titles alone, for the navigation. */
export const indexOf = (texts: readonly DocsText[]) => texts.map(({ name, title }) => ({ name, title }))

function toPage(name: string, text: string): DocsText {
  const parts = text.split(/^(#{1,3} .+)$/m)
  const sections: { heading: string; text: string }[] = []
  for (let index = 1; index < parts.length; index += 2) {
    const heading = plain((parts[index] ?? '').replace(/^#+ /, ''))
    sections.push({ heading, text: plain(parts[index + 1] ?? '') })
  }
  return { name, title: sections[0]?.heading ?? name, sections }
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#>]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
