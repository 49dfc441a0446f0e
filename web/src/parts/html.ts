import htm from 'htm'
import { type ComponentChildren, h } from 'preact'

/**
 * Elements are written as `html` templates. Components are called by `h(Component, props)` inside of them, so that
 * their props are checked by the compiler.
 */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => ComponentChildren = htm.bind(h)

export type { ComponentChildren as View } from 'preact'
export { h } from 'preact'
