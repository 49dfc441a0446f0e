/** Data read from the chains, and projections made from it. */
export type ChainTables = {
  snapshots: {
    network: string
    epoch: number
    checkpoint: number
    body: string
  }
  /** The last checkpoint seen of a chain, and the id of its content. */
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
    /** 1, 0, or null: the network does not report it. */
    performed: number | null
    /** 1: read while the epoch ran, 0: not. */
    commission_read: number
  }
  /** Commissions as read in an epoch that has no records yet: JSON, basis points by validator. */
  epoch_commissions: {
    network: string
    epoch: number
    body: string
  }
  /** Exchange rates of a history that is still being read; null: the chain has none. */
  read_rates: {
    network: string
    table_id: string
    epoch: number
    tokens: string | null
    shares: string | null
  }
  /** Projections made in an epoch, to be compared with what was paid. */
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
