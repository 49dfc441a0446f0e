/** Design tokens of tokens.css for canvases. */

const probe = document.body.appendChild(document.createElement('span'))
probe.hidden = true
// The probe keeps the colour of the token even if the user forces other colours.
probe.style.forcedColorAdjust = 'none'

/** The colour in the theme of the page. */
export function tokenColour(name: string): string {
  probe.style.color = `var(${name})`
  return getComputedStyle(probe).color
}

export const tokenText = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()
