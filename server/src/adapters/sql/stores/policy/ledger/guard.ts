import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import { Fault } from '../../../../../fault.ts'
import type { Database } from '../../../schema.ts'
import { TamperedError } from './ledger-seal.ts'

export type LedgerNeeds = {
  readonly db: Database
  readonly secrets: Pick<Secrets, 'digest'>
  readonly logger: Pick<Logger, 'error'>
}

/** Runs work that reads a mandate: if the mandate was tampered with, logs it and throws a fault. */
export const openGuard =
  (logger: Pick<Logger, 'error'>) =>
  <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      if (!(error instanceof TamperedError)) throw error
      logger.error(
        'the mandate of an agent was changed outside the service: nothing is built for it until it is restored',
        error,
        { agentNo: error.agentNo },
      )
      throw refusal()
    })

function refusal(): Fault {
  const fix = 'Tell the operator of the service, whose log says more. Nobody else can repair it.'
  return new Fault(
    'forbidden',
    `The mandate of this agent was changed outside of the service, so nothing is built for it. ${fix}`,
    { fix },
  )
}
