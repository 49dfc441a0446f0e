/** What was read of the chains, and what was said of them. */
export type ChainTables = {
  snapshots: {
    network: string
    epoch: number
    checkpoint: number
    body: string
  }
  /** How far a chain was last seen, and with which content. */
  snapshot_marks: {
    network: string
    content_id: string
    checkpoint: number
    checkpoint_at: number
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
  /** Exchange rates of a history that is still being read; null where the chain has none. */
  read_rates: {
    network: string
    table_id: string
    epoch: number
    tokens: string | null
    shares: string | null
  }
  /** What was projected in an epoch, to be held against what was paid. */
  forecast_sets: {
    network: string
    epoch: number
    engine_version: string
    made_at: number
    body: string
  }
  sandbox_states: {
    id: number
    version: number
    state: string
  }
}
