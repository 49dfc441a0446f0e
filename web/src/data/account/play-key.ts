import { StakewrightError } from '@stakewright/client'
import { useEffect } from 'preact/hooks'
import { useNetwork } from '../queries.ts'
import { call, onReturn } from '../service.ts'
import { createStore, useStore } from '../store.ts'
import { changeSession, session } from './session.ts'

/** State of the API key of a page: available, being created, or to be entered by the user. */
type KeyState =
  | { readonly kind: 'ready'; readonly apiKey: string }
  | { readonly kind: 'making' }
  /** `error`: why none could be made. `refused`: why the last one was dropped. */
  | { readonly kind: 'needed'; readonly error: unknown; readonly refused: unknown }

/** The agent name of sandbox keys made by the web app, by which admin lists filter them out. */
export const VISITOR = 'web visitor'

const failure = createStore<unknown>(undefined)
/** Why the last key was dropped, until there is another. */
const refusal = createStore<unknown>(undefined)
let isMaking = false

/** On the sandbox a key is created on first use. On other networks the user must enter one. */
export function useApiKey(): KeyState {
  const { apiKey } = useStore(session)
  const error = useStore(failure)
  const refused = useStore(refusal)
  const { data } = useNetwork()
  const isSandbox = data?.network === 'sandbox'
  const mayMake = apiKey === undefined && isSandbox && error === undefined
  useEffect(() => {
    if (mayMake) makePlayKey()
  }, [mayMake])
  if (apiKey !== undefined) return { kind: 'ready', apiKey }
  return mayMake || data === undefined ? { kind: 'making' } : { kind: 'needed', error, refused }
}

function makePlayKey(): void {
  if (isMaking) return
  isMaking = true
  call((client) => client.sandboxKey({ agentName: VISITOR }))
    .then(({ data }) => changeSession({ apiKey: data.apiKey }))
    .catch((error: unknown) => failure.set(error))
    .finally(() => {
      isMaking = false
    })
}

export const retryPlayKey = (): void => failure.set(undefined)
onReturn(retryPlayKey)

export function keepOwnKey(apiKey: string): void {
  failure.set(undefined)
  refusal.set(undefined)
  changeSession({ apiKey })
}

/** Drops a key that the service refuses, so that the page asks for another. */
export function dropRefusedKey(error: unknown): void {
  if (
    error instanceof StakewrightError &&
    error.code === 'unauthorized' &&
    session.get().apiKey !== undefined
  ) {
    refusal.set(error)
    changeSession({ apiKey: undefined })
  }
}
