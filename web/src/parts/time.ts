import { useNow } from '../data/clock.ts'
import { formatAgo, formatDateTime, formatSpan } from './format.ts'
import { h, html, type View } from './html.ts'

/** "12 s ago", with the time itself on hover. */
export function Ago({ at }: { readonly at: number | string }): View {
  const now = useNow()
  const moment = typeof at === 'string' ? Date.parse(at) : at
  return html`<time dateTime=${new Date(moment).toISOString()} title=${formatDateTime(moment)} class="nowrap">${formatAgo(Math.max(0, now - moment))}</time>`
}

/** "4 min 12 s", counting down to `until`. */
export function Countdown({ until }: { readonly until: number }): View {
  const now = useNow()
  return html`<time dateTime=${new Date(until).toISOString()} title=${formatDateTime(until)} class="number">${formatSpan(Math.max(0, until - now))}</time>`
}

/** The time itself; on a phone, which has no room for it, the elapsed time. */
export const whenText = (at: string): View =>
  html`<span data-phone="only">${h(Ago, { at })}</span><time dateTime=${at} class="nowrap" data-phone="hide">${formatDateTime(Date.parse(at))}</time>`
