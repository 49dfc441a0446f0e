import { createStore } from '../store.ts'

// Credentials live as long as the browser tab. Tabs tell each other who is signed in; API keys they do not share.

/** `name`: the e-mail address, or the address of the wallet. */
export type User = { readonly name: string; readonly token: string; readonly expiresAt: number }
type Session = {
  readonly apiKey: string | undefined
  readonly user: User | undefined
  /** Name of the user whose session has ended by itself, and who may sign in again. */
  readonly lastUser?: string | undefined
}

const KEY = 'stakewright.session'

export const session = createStore<Session>(read())

function read(): Session {
  try {
    return toSession(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'), Date.now())
  } catch {
    return { apiKey: undefined, user: undefined }
  }
}

/** The stored session, unless its token has expired. */
function toSession(stored: Partial<Session>, now: number): Session {
  const { apiKey, user, lastUser } = stored
  if (!user || user.expiresAt > now) return { apiKey, user, lastUser }
  return { apiKey, user: undefined, lastUser: user.name }
}

export function changeSession(changes: Partial<Session>): void {
  session.set({ ...session.get(), ...changes })
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session.get()))
  } catch {
    // Without storage the session lasts until the next reload.
  }
}
