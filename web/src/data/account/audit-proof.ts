import { type Reply, StakewrightError } from '@stakewright/client'
import { call } from '../service.ts'
import { createStore, useStore } from '../store.ts'
import { session } from './session.ts'

type Proof = Reply<'verifyAudit'>['data']

export type LogReading =
  | { readonly kind: 'idle' | 'reading' }
  | { readonly kind: 'done'; readonly proof: Proof }
  | { readonly kind: 'failed'; readonly error: unknown }

const IDLE: LogReading = { kind: 'idle' }

/** The last verification of the audit log, shared by all views: leaving a page must not discard a broken result. */
const lastReading = createStore<{ readonly user: string | undefined; readonly reading: LogReading }>({
  user: undefined,
  reading: IDLE,
})

/** Idle unless the present user started the verification. */
export function useLogReading(): LogReading {
  const name = useStore(session).user?.name
  const { user, reading } = useStore(lastReading)
  return user === name ? reading : IDLE
}

/** Whether the last reading has found that the log was changed. */
export function useIsLogBroken(): boolean {
  const reading = useLogReading()
  return reading.kind === 'done' && !reading.proof.isIntact
}

export async function readLog(): Promise<void> {
  const user = session.get().user?.name
  const note = (reading: LogReading) => lastReading.set({ user, reading })
  note({ kind: 'reading' })
  await verify(MAX_TRIES).then(
    ({ data }) => note({ kind: 'done', proof: data }),
    (error: unknown) => note({ kind: 'failed', error }),
  )
}

/** A long log takes longer than a request may last; the service goes on reading, and a later call gets the result. */
const MAX_TRIES = 100

const verify = (tries: number): Promise<Reply<'verifyAudit'>> =>
  call((client) => client.verifyAudit()).catch((error: unknown) => {
    if (tries > 1 && error instanceof StakewrightError && error.code === 'timeout') return verify(tries - 1)
    throw error
  })
