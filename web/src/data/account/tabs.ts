import type { User } from './session.ts'

/** What the tabs of the web app tell each other; see docs/decisions/0018. */
type Message =
  | { readonly kind: 'who-is-signed-in' }
  | { readonly kind: 'signed-in'; readonly user: User }
  | { readonly kind: 'signed-out'; readonly token: string }

/** Reaches pages of this origin in this browser profile, and stores nothing. */
const channel = new BroadcastChannel('stakewright.session')

export const tellTabs = (message: Message): void => channel.postMessage(message)

export const hearTabs = (listener: (message: Message) => void): void =>
  channel.addEventListener('message', ({ data }) => listener(toMessage(data)))

/** The cast holds because only `tellTabs` sends on this channel. */
const toMessage = (data: unknown) => data as Message
