import type { Facts } from './facts.ts'
import { llmsText } from './llms-text.ts'
import { INDEX } from './served-links.ts'

type Pages = { readonly names: readonly string[]; readonly read: (name: string) => string }

/** The Markdown versions of pages of the web app, by path. */
export function markdownTwins(
  { names, read }: Pages,
  factsOf: () => Facts,
): ReadonlyMap<string, () => string> {
  const guides = names
    .filter((name) => !name.includes('/'))
    .map((name) => [`/docs/${name.replace(/\.md$/, '')}`, () => read(name)] as const)
  const index = names.includes(INDEX) ? [['/docs', () => read(INDEX)] as const] : []
  return new Map([['/', () => llmsText(factsOf())] as const, ...index, ...guides])
}
