import type { Client } from '@stakewright/client'
import type { Built, Wallet } from '../../data/account/wallet.ts'
import type { Network, Validator } from '../../data/queries.ts'

export type Known = { readonly network: Network; readonly validators: readonly Validator[] }

/** The props of every card of the sandbox page. */
export type StageProps = Known & {
  readonly current: Wallet
  readonly isBusy: boolean
  readonly build: (title: string, ask: (client: Client) => Promise<Built>) => void
  readonly advance: (epochs: number) => void
}
