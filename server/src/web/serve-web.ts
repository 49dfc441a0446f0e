import { approvalPath, PAGES, type PageRow } from '@stakewright/web/pages'
import { pickEncoding } from '#http/wire/encoding.ts'
import type { HttpRequest } from '#http/wire/request.ts'
import type { Headers, HttpResponse } from '#http/wire/response.ts'
import type { HttpServer } from '#http/wire/server.ts'
import { onceUnlessFailed } from '../basics/once-unless-failed.ts'
import { refusal } from '../fault.ts'
import { fileEncoder } from './encoding.ts'
import { ICON_PATH, type WebFiles } from './prepare-files.ts'
import { prepareInThread } from './prepare-in-thread.ts'
import { type Page, renderPage } from './render-page.ts'

export { approvalPath }

const ROWS: readonly PageRow[] = PAGES
/** The pages of the navigation. */
export const NAVIGATION = ROWS.flatMap(({ path, nav }) => (nav === undefined ? [] : [{ path, name: nav }]))

type Needs = {
  readonly serve: HttpServer['serve']
  /** The JSON for programs at `/`. */
  readonly description: Readonly<Record<string, unknown>>
  /** The `Link` header of `/`. */
  readonly links: string
  /** The Markdown versions of pages, by path. Only guides among them have a page. */
  readonly twins: ReadonlyMap<string, () => string>
}

const FILES = '/web/'
/** A route matches a fixed number of parts, so there is one for each depth of files. */
const DEEPEST = 6
const FILE_PATHS = Array.from({ length: DEEPEST }, (_, depth) => {
  const parts = Array.from({ length: depth + 1 }, (_, index) => `{part${index}}`)
  return `${FILES}{build}/${parts.join('/')}`
})
const YEAR_SECONDS = 31_536_000
/** Browsers request it for responses without an icon link, such as JSON. */
const FAVICON = '/favicon.ico'

/** Requests of pages and files do not count for limits; API calls of the pages do. */
export const isWebPath = (path: string): boolean =>
  path.startsWith(FILES) || path === FAVICON || PAGE_PATTERNS.some((one) => one.test(path))
const PAGE_PATTERNS = PAGES.map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))

/**
 * Serves the web app: a document for each page, and files under URLs with the hash of their content. Files are prepared
 * lazily, with the first page or by `prepare`, so a service without visitors has no cost.
 */
export function serveWeb({ serve, description, links, twins }: Needs): { prepare(): Promise<void> } {
  const prepared = onceUnlessFailed(prepareInThread)

  for (const page of PAGES) {
    const isRoot = page.path === '/'
    const document = documentOf(page, prepared, isRoot ? { link: links } : {})
    const described = { body: description, headers: { vary: 'accept', link: links } }
    for (const path of pathsOf(page, twins)) {
      const twin = twins.get(path)
      serve({ method: 'GET', path, auth: 'page' }, (request) => {
        if (twin && wantsMarkdown(request)) return toMarkdown(twin(), links)
        return isRoot && !wantsHtml(request) ? described : document(request)
      })
    }
  }
  const encode = fileEncoder()
  for (const path of FILE_PATHS) {
    serve({ method: 'GET', path, auth: 'page' }, async (request) =>
      answerFile(request, await prepared(), encode),
    )
  }
  serve({ method: 'GET', path: FAVICON, auth: 'page' }, async () => answerIcon(await prepared()))
  return {
    async prepare() {
      await prepared()
    },
  }
}

const GUIDE = '/docs/{page}'

/** One route per guide, so that other names are unknown paths. */
const pathsOf = ({ path }: PageRow, twins: Needs['twins']): readonly string[] =>
  path === GUIDE ? [...twins.keys()].filter((known) => /^\/docs\/[^/]+$/.test(known)) : [path]

/** Browsers list HTML in `Accept`; programs get JSON. */
const wantsHtml = (request: HttpRequest) => request.prefers(['text/html', 'application/json']) === 'text/html'

/** Coding agents prefer Markdown to HTML in `Accept`. */
const wantsMarkdown = (request: HttpRequest) =>
  request.prefers(['text/markdown', 'text/html']) === 'text/markdown'

/** Readers of Markdown are programs, which find the rest by the `Link` header. */
const toMarkdown = (body: string, link: string): HttpResponse => ({
  body,
  headers: {
    'content-type': 'text/markdown; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept',
    link,
  },
})

type Answers = { readonly etag: string; readonly whole: HttpResponse; readonly notModified: HttpResponse }

function documentOf(page: PageRow, prepared: () => Promise<WebFiles>, added: Headers) {
  let answers: Answers | undefined
  return async (request: HttpRequest): Promise<HttpResponse> => {
    answers ??= toAnswers(renderPage(await prepared(), page), added)
    const { etag, whole, notModified } = answers
    return request.hasEtag(etag) ? notModified : whole
  }
}

function toAnswers({ html, etag, policy }: Page, added: Headers): Answers {
  const headers: Headers = {
    ...added,
    etag,
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    vary: 'accept',
  }
  const typed = { ...headers, 'content-type': 'text/html; charset=utf-8' }
  return {
    etag,
    whole: { body: html, headers: typed, isShared: true },
    notModified: { status: 304, headers, isShared: true },
  }
}

function answerIcon({ files }: WebFiles): HttpResponse {
  const icon = files.get(ICON_PATH)
  if (icon === undefined) throw new Error(`the web app has ${ICON_PATH}`)
  const headers = { 'content-type': icon.contentType, 'cache-control': 'public, max-age=86400' }
  return { body: icon.bytes, headers }
}

async function answerFile(
  request: HttpRequest,
  { build, files }: WebFiles,
  encode: ReturnType<typeof fileEncoder>,
): Promise<HttpResponse> {
  const { build: wanted, ...parts } = request.params
  const file = files.get(Object.values(parts).join('/'))
  if (file === undefined || wanted !== build) {
    throw refusal(
      'not_found',
      'There is no such file in this version of the web app.',
      'Load the page again.',
    )
  }
  const encoding = pickEncoding(request.header('accept-encoding'))
  return {
    body: await encode(file, encoding),
    headers: {
      'content-type': file.contentType,
      'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
      vary: 'accept-encoding',
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    },
  }
}
