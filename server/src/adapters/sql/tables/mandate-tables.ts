/** Policies of agents, and the approvals, reservations and kept builds under them. */
export type MandateTables = {
  /** Revisions of policies; only `holds_until` ever changes, and the seal with it. */
  policies: {
    agent_no: number
    revision: number
    hash: string
    /** JSON, as it was written. */
    document: string
    changed_at: number
    changed_by: string
    changed_role: string
    /** How long it stays in force after it is replaced. */
    loosen_ms: number
    /** Null: the newest revision. */
    holds_until: number | null
    /** MAC over this and all earlier revisions. Null: not sealed by the service. */
    mac: string | null
  }
  /** Transactions built for agents whose policy has windows. */
  reservations: {
    id: string
    intent_id: string
    agent_no: number
    at: number
    /** The later of two dates, after the clock was set back: either clock may be right. Null: it has one date. */
    later_at: number | null
    expires_at: number
    epoch: number
    sender: string | null
    /** JSON. */
    items: string
    /** `counts`, `seen` (executed on the chain, never released) or `free`. The service never writes null. */
    state: string | null
    /** MAC over all columns above. */
    mac: string | null
  }
  /** Amounts moved by an agent's counting reservations: in total, and per day, hour and minute. */
  reserved_sums: {
    agent_no: number
    /** 0: total, 1: day, 2: hour, 3: minute. */
    level: number
    begins: number
    /** Number of reservations in the sum. */
    entries: number
    /** Sums staked, unstaked, withdrawn and joined, separated by commas. */
    moved: string
    /** At level 0: the newest epoch in which something was built. */
    epoch: number | null
    /** Amounts moved in that epoch. */
    in_epoch: string | null
    mac: string
  }
  /** Transactions that an owner must approve before they are built. */
  approvals: {
    id: string
    agent_no: number
    /** Sequence number among the agent's approvals, from 1. */
    no: number
    wish_hash: string
    /** JSON. */
    wish: string
    /** JSON of the rule that requires it. */
    reason: string
    state: string
    created_at: number
    expires_at: number
    decided_at: number | null
    decided_by: string | null
    decided_role: string | null
    intent_id: string | null
    /** MAC over all columns above. */
    mac: string | null
  }
  /** Transactions built by requests with an idempotency key, as answered. */
  kept_builds: {
    digest: string
    agent_no: number
    intent_id: string
    /** Digest of the request, with the answer's seal. */
    request_digest: string
    /** JSON, deflated, in base64. */
    answer: string
    expires_at: number
    /** 1: its reservation was released. */
    is_free: number
  }
}
