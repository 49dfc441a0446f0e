import { type Loaded, useQuery } from '../query.ts'
import { fetchFile } from './fetch-file.ts'

/** Guides and their texts are files of the web app; the reference is the service's own OpenAPI document. */
export type DocsPage = { readonly name: string; readonly title: string }

export type DocsText = DocsPage & {
  readonly sections: readonly { readonly heading: string; readonly text: string }[]
}

const build = document.getElementById('app')?.dataset['build'] ?? ''

const readFile = (path: string): Promise<Response> =>
  fetchFile(`/web/${build}/docs/${path}`, 'There is no such guide.')

export const useDocsIndex = (): Loaded<readonly DocsPage[]> =>
  useQuery({ key: 'docs/index', ask: async () => toIndex(await (await readFile('index.json')).json()) })

/** The cast holds because the server writes the index in this shape. */
const toIndex = (value: unknown): readonly DocsPage[] => value as readonly DocsPage[]

/** The texts of all guides, for a search. They are large: only whoever searches loads them. */
export const useDocsTexts = (): Loaded<readonly DocsText[]> =>
  useQuery({ key: 'docs/texts', ask: async () => toTexts(await (await readFile('texts.json')).json()) })

/** The cast holds because the server writes the texts in this shape. */
const toTexts = (value: unknown): readonly DocsText[] => value as readonly DocsText[]

export const useGuide = (name: string): Loaded<string> =>
  useQuery({
    key: `docs/${name}`,
    ask: async () => atOwnOrigin(await (await readFile(`${encodeURIComponent(name)}.md`)).text()),
  })

/** Puts this service's address into the commands of a guide; the files have that of a local service. */
const atOwnOrigin = (text: string): string => text.replaceAll('http://127.0.0.1:3000', location.origin)

/** Guides to read first; the others follow by title. */
const FIRST = ['tutorial', 'glossary', 'allocation', 'networks', 'limits']
const placeOf = ({ name }: DocsPage) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
export const inOrder = (guides: readonly DocsPage[]): readonly DocsPage[] =>
  guides.toSorted((a, b) => placeOf(a) - placeOf(b))
