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

type Readings = {
  readonly user: string | undefined
  readonly last: LogReading
  /** The proof that the log was changed; it holds until a later verification has ended with another result. */
  readonly broken: Proof | undefined
}

const NONE: Readings = { user: undefined, last: IDLE, broken: undefined }

/** Verifications of the audit log, shared by all views: leaving a page must not discard a broken result. */
const readings = createStore(NONE)

/** Only verifications of the present user. */
const readingsOf = (user: string | undefined, noted: Readings): Readings =>
  noted.user === user ? noted : NONE

const useReadings = (): Readings => readingsOf(useStore(session).user?.name, useStore(readings))

export const useLogReading = (): LogReading => useReadings().last

export const useBrokenLog = (): Proof | undefined => useReadings().broken

export async function readLog(): Promise<void> {
  const user = session.get().user?.name
  const note = (last: LogReading) => {
    const { broken } = readingsOf(user, readings.get())
    readings.set({ user, last, broken: last.kind === 'done' ? brokenIn(last.proof) : broken })
  }
  note({ kind: 'reading' })
  await verify(MAX_TRIES).then(
    ({ data }) => note({ kind: 'done', proof: data }),
    (error: unknown) => note({ kind: 'failed', error }),
  )
}

const brokenIn = (proof: Proof): Proof | undefined => (proof.isIntact ? undefined : proof)

/** A long log takes longer than a request may last; the service goes on reading, and a later call gets the result. */
const MAX_TRIES = 100

const verify = (tries: number): Promise<Reply<'verifyAudit'>> =>
  call((client) => client.verifyAudit()).catch((error: unknown) => {
    if (tries > 1 && error instanceof StakewrightError && error.code === 'timeout') return verify(tries - 1)
    throw error
  })
