/** What is counted and logged of requests. */
export type RequestTables = {
  /** To the minute. */
  key_uses: {
    key_id: string
    last_used_at: number
  }
  agent_activity: ActivityColumns & { agent_no: number }
  user_activity: ActivityColumns & { user_id: string }
  /** Requests of an agent on a UTC day: `tools` is JSON, a count for each endpoint. */
  agent_days: {
    agent_no: number
    day: number
    tools: string
    built: number
    built_aware: number
  }
  /** The audit log: each row is one commit's worth, and its hash seals all rows before it. */
  audit_batches: {
    seq: number
    day: number
    body: string
    hash: string
  }
  /** Signed statements that the log was so at a moment; each holds the hash of the one before. */
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
    /** The newest management action then; null: there was none, or an earlier version has signed. */
    action_no: number | null
    action_hash: string | null
  }
  /** Where the log ends, where it begins, how far it is signed; sealed against writers of the database. */
  audit_marks: {
    name: string
    no: number
    hash: string
    mac: string
  }
  /** Which batches speak of an agent, in a store that many instances share. */
  audit_agents: {
    agent_no: number
    seq: number
  }
  /** The same in the embedded store, up to the mark `indexed`: `seqs` is JSON, some batches in their order. */
  agent_batches: {
    agent_no: number
    last_seq: number
    seqs: string
  }
  /** Requests of an address, known by a keyed hash, in the present minute. */
  address_hits: {
    minute: number
    high: number
    low: number
    hits: number
  }
  /** What must stay the same as long as the store lives. */
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

/** The open database, or a transaction in it. */
