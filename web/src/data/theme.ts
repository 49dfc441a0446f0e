import { createStore } from './store.ts'

type Theme = 'system' | 'light' | 'dark'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'theme'

const toTheme = (stored: string | null | undefined): Theme =>
  stored === 'light' || stored === 'dark' ? stored : 'system'

export const theme = createStore<Theme>(toTheme(document.documentElement.dataset['theme']))

function showTheme(next: Theme): void {
  const root = document.documentElement
  if (next === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = next
}

export function chooseTheme(next: Theme): void {
  showTheme(next)
  try {
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Without storage the choice lasts until the next reload.
  }
  theme.set(next)
}

// Another tab has chosen; without a key it has cleared its storage.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== KEY && key !== null) return
  const next = toTheme(newValue)
  showTheme(next)
  theme.set(next)
})

/** Incremented when colours change, by the user or the system, because canvases must be redrawn. */
export const themeChanges = createStore(0)
const count = () => themeChanges.set(themeChanges.get() + 1)
theme.subscribe(count)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', count)

// Paper is light, and a canvas keeps the colours in which it was drawn.
addEventListener('beforeprint', () => {
  showTheme('light')
  count()
})
addEventListener('afterprint', () => {
  showTheme(theme.get())
  count()
})
