import { useEffect, useRef, useState } from 'preact/hooks'
import { useWaitingApprovals } from '../data/account/approvals.ts'
import { useUnstoredKeys } from '../data/account/unstored-keys.ts'
import { useNow } from '../data/clock.ts'
import { useHealth } from '../data/queries.ts'
import { matchPage, usePlace } from '../data/router.ts'
import { reach } from '../data/service.ts'
import { useStore } from '../data/store.ts'
import { chooseTheme, THEMES, theme } from '../data/theme.ts'
import { PAGES, type PageRow } from '../pages.ts'
import { waitingCount } from './badge.ts'
import { formatSpan } from './format.ts'
import { h, html, type View } from './html.ts'
import { icon } from './icon.ts'

const NAVIGATION: readonly PageRow[] = PAGES
/** Data older than this are marked old. */
const OLD_SECONDS = 60

/** What is around every page: navigation, state of the network, theme, and a bar while the service is away. */
export function Shell({ children }: { readonly children: View }): View {
  return html`
    <a class="skip" href="#content" onClick=${focusContent}>Skip to content</a>
    ${h(TopBar, {})}
    ${h(AwayBar, {})}${h(KeyBar, {})}
    <main id="content" tabindex="-1">${children}</main>
    <footer class="footer"><div class="footer-inner">
      <span>Stakewright builds and explains; it never signs and never holds a key to your stake.</span>
      <a href="/docs">API reference</a><a href="/openapi.json">OpenAPI</a><a href="/score">How the score is made</a><a href="/accuracy">How good the projections are</a>
    </div></footer>`
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
    <a class="brand" href="/" aria-label="Stakewright, overview">${mark}<span>Stakewright</span></a>
    <nav class="nav" id="navigation" aria-label="Pages" data-open=${isOpen}>${NAVIGATION.filter(
      ({ nav }) => nav,
    ).map(
      (page) =>
        html`<a href=${page.path} aria-current=${isUnder(path, page) ? 'page' : undefined}>${page.nav}${page.path === '/console' && h(WaitingCount, {})}</a>`,
    )}</nav>
    <div class="topbar-end">${h(NetworkState, {})}${h(WaitingLink, {})}${h(ThemeButton, {})}
      <button type="button" class="icon-button menu-button" aria-label="Pages" aria-expanded=${isOpen} aria-controls="navigation"
        onClick=${() => setIsOpen(!isOpen)}>${icon('menu')}</button>
    </div>
  </div></header>`
}

function isUnder(path: string, page: PageRow): boolean {
  if (page.path === '/') return path === '/'
  const shown = matchPage(path)?.page
  return (shown?.under ?? shown?.path)?.startsWith(page.path) === true
}

/** How many transactions wait for the approval of who is signed in. */
function WaitingCount(): View {
  const { data = [], hasMore } = useWaitingApprovals()
  return waitingCount(data.length, hasMore)
}

/** The same where the navigation is folded away. */
function WaitingLink(): View {
  const { data = [], hasMore } = useWaitingApprovals()
  return (
    data.length > 0 &&
    html`<a class="waiting-link" href="/console?agents=approvals">${waitingCount(data.length, hasMore)}</a>`
  )
}

const mark = html`<svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M8 21h4v-5H8zM14 21h4V11h-4zM20 21h4v-7h-4z" fill="var(--accent-ink)"/><path d="M7 24h18" stroke="var(--accent-ink)" stroke-width="2" stroke-linecap="round"/></svg>`

function NetworkState(): View {
  const { data } = useHealth()
  const { kind } = useStore(reach)
  if (!data) return html`<span class="netstate"></span>`
  const state = kind === 'away' ? 'away' : data.dataAgeSeconds > OLD_SECONDS ? 'old' : 'live'
  const words = {
    away: 'no connection',
    old: `data ${formatSpan(data.dataAgeSeconds * 1000)} old`,
    live: 'live',
  }
  return html`<span class="netstate" data-state=${state}><span class="dot" aria-hidden="true"></span>
    <span>${data.network}<span class="long"> · epoch ${data.epoch} · ${words[state]}</span></span></span>`
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

/** On every other page: that a key, shown once, was not stored yet. */
function KeyBar(): View {
  const { path } = usePlace()
  const elsewhere = useUnstoredKeys().find((one) => one.path !== path)
  return html`<div role="status">${elsewhere && html`<div class="away"><strong>Your new key is not stored yet.</strong><span>It is gone when you close this tab. <a href=${elsewhere.path}>Show it again</a></span></div>`}</div>`
}
