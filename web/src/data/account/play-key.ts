import { StakewrightError } from '@stakewright/client'
import { useEffect } from 'preact/hooks'
import { useNetwork } from '../queries.ts'
import { call, onReturn } from '../service.ts'
import { createStore, useStore } from '../store.ts'
import { changeSession, session } from './session.ts'

/** How a page that needs an API key stands: it has one, it is being made, or a person has to give one. */
export type KeyState =
  | { readonly kind: 'ready'; readonly apiKey: string }
  | { readonly kind: 'making' }
  | { readonly kind: 'needed'; readonly error: unknown }

/** What keys for play are called; lists of everybody's agents leave them out unless asked. */
export const VISITOR = 'web visitor'

const failure = createStore<unknown>(undefined)
let isMaking = false

/** On the sandbox a key for play is made when it is first needed: it costs nobody anything. Elsewhere it is asked for. */
export function useApiKey(): KeyState {
  const { apiKey } = useStore(session)
  const error = useStore(failure)
  const { data } = useNetwork()
  const isSandbox = data?.network === 'sandbox'
  const mayMake = apiKey === undefined && isSandbox && error === undefined
  useEffect(() => {
    if (mayMake) makePlayKey()
  }, [mayMake])
  if (apiKey !== undefined) return { kind: 'ready', apiKey }
  return mayMake || data === undefined ? { kind: 'making' } : { kind: 'needed', error }
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

/** Another try, after one that failed. */
export const retryPlayKey = (): void => failure.set(undefined)
onReturn(retryPlayKey)

export function keepOwnKey(apiKey: string): void {
  failure.set(undefined)
  changeSession({ apiKey })
}

/** A key that the service does not accept any more is dropped, so that the page asks for another. */
export function dropRefusedKey(error: unknown): void {
  if (
    error instanceof StakewrightError &&
    error.code === 'unauthorized' &&
    session.get().apiKey !== undefined
  ) {
    changeSession({ apiKey: undefined })
  }
}
