import { useEffect, useRef, useState } from 'preact/hooks'
import { useWaitingApprovals } from '../data/account/approvals.ts'
import { useUnstoredKeys } from '../data/account/unstored-keys.ts'
import { useNow } from '../data/clock.ts'
import { useHealth } from '../data/queries.ts'
import { matchPage, usePlace } from '../data/router.ts'
import { limited, reach } from '../data/service.ts'
import { useStore } from '../data/store.ts'
import { chooseTheme, THEMES, theme } from '../data/theme.ts'
import { brand, footer, pageLinks } from '../frame.ts'
import { waitingCount } from './badge.ts'
import { formatSpan } from './format.ts'
import { h, html, type View } from './html.ts'
import { icon } from './icon.ts'

/** Data older than this are marked old. */
const OLD_SECONDS = 60

/** The frame of every page: navigation, state of the network, theme, and a bar while the service is unreachable. */
export function Shell({ children }: { readonly children: View }): View {
  return html`
    <a class="skip" href="#content" onClick=${focusContent}>Skip to content</a>
    ${h(TopBar, {})}
    ${h(AwayBar, {})}${h(KeyBar, {})}
    <main id="content" tabindex="-1">${children}</main>
    ${footer(html)}`
}

function focusContent(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function TopBar(): View {
  const { path } = usePlace()
  const [isOpen, setIsOpen] = useState(false)
  const bar = useRef<HTMLElement>(null)
  useEffect(() => setIsOpen(false), [path])
  useEffect(() => {
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setIsOpen(false)
    const leave = ({ target }: Event) =>
      target instanceof Node && !bar.current?.contains(target) && setIsOpen(false)
    addEventListener('keydown', close)
    addEventListener('pointerdown', leave)
    return () => {
      removeEventListener('keydown', close)
      removeEventListener('pointerdown', leave)
    }
  }, [])
  return html`<header class="topbar" ref=${bar}><div class="topbar-inner">
    ${brand(html)}
    <nav class="nav" id="navigation" aria-label="Pages" data-open=${isOpen}>${pageLinks(
      html,
      matchPage(path)?.page,
      (page) => page.path === '/console' && h(WaitingCount, {}),
    )}</nav>
    <div class="topbar-end">${h(NetworkState, {})}${h(WaitingLink, {})}${h(ThemeButton, {})}
      <button type="button" class="icon-button menu-button" aria-label="Pages" aria-expanded=${isOpen} aria-controls="navigation"
        onClick=${() => setIsOpen(!isOpen)}>${icon('menu')}</button>
    </div>
  </div></header>`
}

/** The number of transactions that wait for the approval of the signed-in user. */
function WaitingCount(): View {
  const { data = [], hasMore } = useWaitingApprovals()
  return waitingCount(data.length, hasMore)
}

/** The same, shown where the navigation is folded away. */
function WaitingLink(): View {
  const { data = [], hasMore } = useWaitingApprovals()
  return (
    data.length > 0 &&
    html`<a class="waiting-link" href="/console?agents=approvals">${waitingCount(data.length, hasMore)}</a>`
  )
}

function NetworkState(): View {
  const { data, error } = useHealth()
  const { kind } = useStore(reach)
  const isLimited = useStore(limited) !== undefined
  if (!data) return html`<span class="netstate"></span>`
  const isOld = data.dataAgeSeconds > OLD_SECONDS
  const state = kind === 'away' ? 'away' : isLimited ? 'limited' : isOld ? 'old' : error ? 'refused' : 'live'
  const words = {
    away: 'no connection',
    limited: 'waits for its limit of requests',
    old: `data ${formatSpan(data.dataAgeSeconds * 1000)} old`,
    refused: 'not updated',
    live: 'live',
  }
  const [epoch, word] = [` · epoch ${data.epoch}`, ` · ${words[state]}`]
  return html`<span class="netstate" data-state=${state} title=${`${data.network}${epoch}${word}`}><span class="dot" aria-hidden="true"></span><span>${data.network}</span><span class="long epoch-part">${epoch}</span><span class="long">${word}</span></span>`
}

function ThemeButton(): View {
  const current = useStore(theme)
  const next = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? 'system'
  return html`<button type="button" class="icon-button" onClick=${() => chooseTheme(next)}
    aria-label=${`Theme: ${current}. Change to ${next}.`} title=${`Theme: ${current}`}>${icon(current)}</button>`
}

function AwayBar(): View {
  const state = useStore(reach)
  return html`<div role="status">${state.kind === 'away' && h(Away, { since: state.since })}</div>`
}

function Away({ since }: { readonly since: number }): View {
  const now = useNow()
  return html`<div class="away"><strong>The service does not answer.</strong>
    <span>For ${formatSpan(Math.max(0, now - since))} now. What you see may be old; this page returns by itself.</span></div>`
}

/** A reminder on all other pages that a new key was not stored yet. */
function KeyBar(): View {
  const { path } = usePlace()
  const elsewhere = useUnstoredKeys().find((one) => one.path !== path)
  return html`<div role="status">${elsewhere && html`<div class="away"><strong>Your new key is not stored yet.</strong><span>It is gone when you close this tab. <a href=${elsewhere.path}>Show it again</a></span></div>`}</div>`
}
