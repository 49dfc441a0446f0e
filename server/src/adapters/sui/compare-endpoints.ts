import type { Agreement, ChainAgreement } from '#ports/chain-agreement.ts'
import type { Clock } from '#ports/clock.ts'
import type { ChainSnapshot } from '#ports/staking-chain.ts'
import { Fault } from '../../fault.ts'
import type { ChainReader } from './chain-reader.ts'
import type { Endpoints } from './endpoints.ts'

type Needs = {
  readonly endpoints: Endpoints
  readonly reader: ChainReader
  readonly clock: Clock
  readonly count: number
}

/** What a transaction rests on. Amounts are left out: they move with every checkpoint, and never two nodes at once. */
function fingerprint({ epoch, system, validators }: ChainSnapshot): string {
  const set = validators.map(({ id, status, commissionBps, nextCommissionBps }) =>
    [id, status, commissionBps, nextCommissionBps].join(),
  )
  const { objectId, packageId, initialSharedVersion } = system
  const { number, nextCommitteeSelected } = epoch
  return JSON.stringify([
    number,
    nextCommitteeSelected,
    objectId,
    packageId,
    initialSharedVersion,
    set.sort(),
  ])
}

export function compareEndpoints({ endpoints, reader, clock, count }: Needs): ChainAgreement {
  let last: { readonly at: number; readonly look: Promise<Agreement> } | undefined

  async function look(): Promise<Agreement> {
    const answers = await endpoints.askEach(
      async (talk) => (await reader.readState(talk)).snapshot,
      new AbortController().signal,
    )
    const snapshots = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const [first] = snapshots
    if (first === undefined || snapshots.length < 2) return { kind: 'unknown' }
    const same = snapshots.every((snapshot) => fingerprint(snapshot) === fingerprint(first))
    return same ? { kind: 'agreed', epoch: first.epoch.number } : { kind: 'disagreed' }
  }

  function sharedLook(): Promise<Agreement> {
    const now = clock.now()
    const current =
      last && now >= last.at && now - last.at < endpoints.limits.agreementMs
        ? last
        : { at: now, look: look() }
    last = current
    return current.look
  }

  return {
    async agreement(deadline) {
      if (count < 2) return { kind: 'single' }
      return Promise.race([sharedLook(), whenAborted(deadline)])
    },
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () =>
      reject(
        new Fault('rpc_unavailable', 'The chain cannot be read right now; try again shortly.', {
          cause: signal.reason,
        }),
      )
    if (signal.aborted) refuse()
    signal.addEventListener('abort', refuse, { once: true })
  })
}
