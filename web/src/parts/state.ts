import { StakewrightError } from '@stakewright/client'
import { h } from 'preact'
import { describeError } from '../data/errors/describe-error.ts'
import { type Loaded, refreshQueries } from '../data/query.ts'
import { html, type View } from './html.ts'
import { Ago } from './time.ts'

/** From this height on, the skeleton is a card. */
const CARD_PX = 160

/** A placeholder for a text or a card that is loading; appears after 150 ms. */
export const skeleton = (width: string, height = '1em'): View =>
  html`<span class="skeleton" data-card=${height.endsWith('px') && Number.parseInt(height, 10) >= CARD_PX} aria-hidden="true" style=${{ width, height, maxWidth: '100%' }}></span>`

/** Whether a retry may succeed: a refused input stays refused. */
const canRetry = (error: unknown): boolean =>
  !(error instanceof StakewrightError) || error.retryable || !isRefusal(error.status ?? 0)
const isRefusal = (status: number): boolean => status >= 400 && status < 500

type Retry = { readonly error: unknown; readonly at?: number | undefined; readonly retry?: () => void }

/** An error, the age of the shown data, and a retry button if a retry may succeed. */
export function Failure({ error, at, retry }: Retry): View {
  return html`<div class="notice" data-tone="bad" role="alert">
    <span>${describeError(error)}</span>
    ${at !== undefined && html`<span>Showing data from ${h(Ago, { at })}.</span>`}
    ${retry && canRetry(error) && html`<button type="button" class="link-button" onClick=${retry}>Try again</button>`}
  </div>`
}

/** Renders the data, also stale ones; a skeleton before the first; the error with advice. */
export function whenLoaded<T>(
  loaded: Loaded<T>,
  show: (data: T) => View,
  placeholder: View = null,
  retry?: () => void,
): View {
  const { data, error, at } = loaded
  const failure =
    error !== undefined &&
    !(error instanceof StakewrightError && error.code === 'unreachable' && data !== undefined)
      ? h(Failure, { error, at: data === undefined ? undefined : at, ...(retry && { retry }) })
      : null
  return html`${failure}${data === undefined ? (error === undefined ? placeholder : null) : show(data)}`
}

/** The placeholder of content that needs all of these answers: the first error with a retry button, or a skeleton. */
export function errorOrSkeleton(answers: readonly Loaded<unknown>[], height: string): View {
  const failed = answers.find(({ data, error }) => data === undefined && error !== undefined)
  if (!failed) return skeleton('100%', height)
  return h(Failure, { error: failed.error, retry: () => void refreshQueries() })
}

export const empty = (sentence: string, action: View = null): View =>
  html`<div class="empty"><p>${sentence}</p>${action}</div>`
