/** The tables as Kysely sees them. Amounts are text: a bigint of the chain does not fit every column type. */
export type Schema = {
  migrations: {
    name: string
  }
  snapshots: {
    network: string
    epoch: number
    checkpoint: number
    body: string
  }
  epoch_records: {
    network: string
    epoch: number
    validator_id: string
    ended_at: number
    tokens: string
    shares: string
    stake: string
    commission_bps: number
    /** 1, 0, or null where the network cannot tell. */
    performed: number | null
  }
  sandbox_states: {
    id: number
    version: number
    state: string
  }
}
