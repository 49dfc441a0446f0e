/** Counters and logs of requests. */
export type RequestTables = {
  /** Last uses of named keys, precise to the minute. */
  key_uses: {
    key_id: string
    last_used_at: number
  }
  /** Quotas of an agent, and its counts of the latest day with requests. In SQLite the journal may be newer. */
  agent_activity: CounterColumns
  /** View for readers: `agent_activity` with the newer counters of the journal. */
  agent_counters: CounterColumns
  /** New counters of the agents of a commit, in SQLite: `body` is a JSON array of rows of `agent_activity`. */
  counter_journal: { slot: number; seq: number; body: string }
  user_activity: ActivityColumns & { user_id: string }
  /**
   * Requests of an agent on a UTC day: `tools` is JSON, a count for each endpoint. Those of the latest day are in
   * `agent_activity`; a day that was the latest one twice, as after a wrong clock, has a part in each table.
   */
  agent_days: {
    agent_no: number
    day: number
    tools: string
    built: number
    built_aware: number
  }
  /** The audit log: one row per commit, whose hash covers all rows before. */
  audit_batches: {
    seq: number
    day: number
    body: string
    hash: string
  }
  /** Signed states of the log; each contains the hash of the previous one. */
  audit_checkpoints: {
    no: number
    first_seq: number
    last_seq: number
    /** All its batches are of this UTC day. */
    day: number
    at: number
    /** The hash of its last batch. */
    root: string
    previous: string
    hash: string
    signature: string
    /** The newest management action then; null: none. */
    action_no: number | null
    action_hash: string | null
  }
  /** Where the log ends, where it begins and how far it is signed, each with a MAC. */
  audit_marks: {
    name: string
    no: number
    hash: string
    mac: string
  }
  /**
   * Index of batches by agent, up to a mark `indexed` of each chain; `seqs` is an ordered JSON array. In Postgres it is
   * partitioned by day like the log.
   */
  agent_batches: {
    agent_no: number
    last_seq: number
    seqs: string
  }
  /** Requests of an address, identified by a keyed hash, in the current minute. */
  address_hits: {
    minute: number
    high: number
    low: number
    hits: number
  }
  /** The same for many addresses in one row, in SQLite: `body` is a JSON array of `[high, low, hits]`. */
  address_journal: { no: number; minute: number; body: string }
  /** Values that never change in the life of the store. */
  seals: {
    name: string
    value: string
  }
}

type ActivityColumns = {
  minute_start: number
  minute_used: number
  day_start: number
  day_used: number
  last_used_at: number
  last_look_up_at: number
  last_policy_check_at: number
}

type CounterColumns = ActivityColumns & {
  agent_no: number
  /** Null, like the next three columns: no counts. */
  latest_day: number | null
  tools: string | null
  built: number | null
  built_aware: number | null
}
