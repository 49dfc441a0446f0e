import { html, type View } from './html.ts'

const PATHS = {
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  system: 'M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3',
  light:
    'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z',
  up: 'M8 13V3.5M4 7.2L8 3.2l4 4',
  down: 'M8 3v9.5M4 8.8l4 4 4-4',
  right: 'M3 8h9.5M8.8 4l4 4-4 4',
} as const

type IconName = keyof typeof PATHS

/** A decorative icon of 16 × 16: its text is beside it or in the button's label. */
export const icon = (name: IconName): View => html`
  <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${PATHS[name]} /></svg>`
