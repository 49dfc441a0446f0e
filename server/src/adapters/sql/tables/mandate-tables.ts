/** What agents are held to, and what was built under it. */
export type MandateTables = {
  /** What agents are held to: a row never changes, but for when it ends. */
  policies: {
    agent_no: number
    revision: number
    hash: string
    /** JSON, as it was written. */
    document: string
    changed_at: number
    changed_by: string
    changed_role: string
    /** How long it goes on holding once it is replaced. */
    loosen_ms: number
    /** Null: it is the newest. */
    holds_until: number | null
    /** Binds it, and with it all before it. Null: the service has not sealed it. */
    mac: string | null
  }
  /** What was built for agents whose policy has windows. */
  reservations: {
    id: string
    intent_id: string
    agent_no: number
    at: number
    /** The later of its two dates, where the clock was put back: either clock may be right. Null: it has one date. */
    later_at: number | null
    expires_at: number
    epoch: number
    sender: string | null
    /** JSON. */
    items: string
    /** 1: it counts no more. What holds is `state`, which is sealed; versions before it read this. */
    is_free: number
    /** 1: the chain has shown it as carried out, so it is never given back. Null: not yet, if `state` says so too. */
    is_seen: number | null
    /** `counts`, `seen` or `free`. Null: it is not among the sums yet. */
    state: string | null
    /** Binds all of the above but `is_free` and `is_seen`. */
    mac: string | null
  }
  /** What the reservations of an agent that count have moved: in all, and in each day, hour and minute. */
  reserved_sums: {
    agent_no: number
    /** 0 for all of them, 1 for a day, 2 for an hour, 3 for a minute. */
    level: number
    begins: number
    /** How many reservations it sums up. */
    entries: number
    /** What they stake, unstake, withdraw and join, with commas between. */
    moved: string
    /** Of level 0: the newest epoch in which something was built. */
    epoch: number | null
    /** What was moved in this epoch. */
    in_epoch: string | null
    mac: string
  }
  /** Transactions that an owner must approve before they are built. */
  approvals: {
    id: string
    agent_no: number
    /** Numbers the approvals of an agent, from 1. */
    no: number
    wish_hash: string
    /** JSON. */
    wish: string
    /** JSON: which rule asked for it. */
    reason: string
    state: string
    created_at: number
    expires_at: number
    decided_at: number | null
    decided_by: string | null
    decided_role: string | null
    intent_id: string | null
    /** Binds all of the above. */
    mac: string | null
  }
  /** Transactions that were built by requests with a name, as they were answered. */
  kept_builds: {
    digest: string
    agent_no: number
    intent_id: string
    /** With the seal of the answer. */
    request_digest: string
    /** JSON, packed. */
    answer: string
    expires_at: number
    /** 1 when what it had reserved was given back. */
    is_free: number
  }
}
