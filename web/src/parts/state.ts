import { StakewrightError } from '@stakewright/client'
import { h } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { describeError } from '../data/errors/describe-error.ts'
import { type Loaded, refreshQueries } from '../data/query.ts'
import { isByLimit, limited } from '../data/service.ts'
import { createStore, useStore } from '../data/store.ts'
import { html, type View } from './html.ts'
import { Ago, Countdown } from './time.ts'

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
  if (retry === undefined && isByLimit(error)) return h(AtLimit, {})
  return html`<div class="notice" data-tone="bad" role="alert">
    <span>${describeError(error)}</span>
    ${at !== undefined && html`<span>Showing data from ${h(Ago, { at })}.</span>`}
    ${retry && canRetry(error) && html`<button type="button" class="link-button" onClick=${retry}>Try again</button>`}
  </div>`
}

/**
 * The parts of the page that wait because of the rate limit, in their order. The first one shows the notice for all.
 */
const atLimit = createStore<readonly symbol[]>([])

function AtLimit(): View {
  const [own] = useState(() => Symbol('part'))
  const [first] = useStore(atLimit)
  const until = useStore(limited)
  useLayoutEffect(() => {
    atLimit.set([...atLimit.get(), own])
    return () => atLimit.set(atLimit.get().filter((one) => one !== own))
  }, [])
  if (first !== own) return null
  return html`<div class="notice" data-tone="attention" role="alert">
    <span>The limit of requests in a minute is used up; other requests from your address count, too. This page tries again by itself${until !== undefined && html` in ${h(Countdown, { until })}`}.</span>
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
      ? h(Failure, {
          error,
          at: data === undefined ? undefined : at,
          ...(retry && !isByLimit(error) && { retry }),
        })
      : null
  return html`${failure}${data === undefined ? (error === undefined ? placeholder : null) : show(data)}`
}

/** The placeholder of content that needs all of these answers: the first error with a retry button, or a skeleton. */
export function errorOrSkeleton(answers: readonly Loaded<unknown>[], height: string): View {
  const failed = answers.find(({ data, error }) => data === undefined && error !== undefined)
  if (!failed) return skeleton('100%', height)
  const retry = isByLimit(failed.error) ? undefined : () => void refreshQueries()
  return h(Failure, { error: failed.error, ...(retry && { retry }) })
}

export const empty = (sentence: string, action: View = null): View =>
  html`<div class="empty"><p>${sentence}</p>${action}</div>`
